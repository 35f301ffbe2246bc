import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { ClientError } from '../../src/clients/clientError.js';
import { addHooks, removeHooks } from '../../src/clients/hookEdits.js';
import { changeText } from '../../src/clients/settingsText.js';
import { commandOf, commandsIn, FILE, hook, ourHooks, settingsText } from './settingsBuilders.js';

const install = (text: string) => addHooks(text, FILE, commandOf);
const uninstall = (text: string, original: string | null) => removeHooks(text, FILE, original);
/** Over a text that may have a byte order mark. */
const over = (text: string, change: (text: string) => string) =>
  changeText(Buffer.from(text), FILE, change).toString();
const contentOf = (text: string): unknown =>
  parse(text.replace(/^\uFEFF/, ''), [], { allowTrailingComma: true });

describe('adding hooks', () => {
  it('makes a whole file of an empty text', () => {
    const expected = `${JSON.stringify({ hooks: ourHooks() }, null, 2)}\n`;
    for (const text of ['', ' \n\n', '{}\n']) assert.equal(install(text), expected);
    assert.equal(install('\r\n'), expected.replaceAll('\n', '\r\n'));
  });

  it('writes in the layout of the file and changes no other character', () => {
    for (const unit of ['  ', '    ', '\t']) {
      for (const eol of ['\n', '\r\n']) {
        const written = (content: unknown) => JSON.stringify(content, null, unit).replaceAll('\n', eol);
        const before = { model: 'opus', permissions: { allow: ['Bash(ls)'] } };
        assert.equal(install(written(before)), written({ ...before, hooks: ourHooks() }));
      }
    }
  });

  it('goes behind what is there, with comments and trailing commas left where they are', () => {
    const text = `{
  // mine
  "hooks": {
    "Stop": [
      { "hooks": [{ "type": "command", "command": "say done" }] }, // spoken
      /* the end */
    ]
  }, // of hooks
}
`;
    const group = (name: string, indent: string) =>
      JSON.stringify(
        { matcher: '', hooks: [{ type: 'command', command: commandOf(name), timeout: 10 }] },
        null,
        2,
      )
        .split('\n')
        .join(`\n${indent}`);
    assert.equal(
      install(text),
      `{
  // mine
  "hooks": {
    "Stop": [
      { "hooks": [{ "type": "command", "command": "say done" }] }, // spoken
      ${group('stop', '      ')},
      /* the end */
    ],
    "SessionStart": [
      ${group('session-start', '      ')}
    ],
    "SessionEnd": [
      ${group('session-end', '      ')}
    ]
  }, // of hooks
}
`,
    );
  });

  it('stays on one line where the file is on one', () => {
    const before = { hooks: { Stop: [{ hooks: [hook('a')] }] } };
    const after = install(JSON.stringify(before));
    assert.equal(after.includes('\n'), false);
    const { SessionStart, Stop = [], SessionEnd } = ourHooks();
    assert.deepEqual(JSON.parse(after), {
      hooks: { Stop: [...before.hooks.Stop, ...Stop], SessionStart, SessionEnd },
    });
  });

  it('replaces an older entry where it stands, and leaves its neighbours', () => {
    for (const old of [
      `"C:\\Users\\me\\.subconscious-mcp\\bin\\subconscious-hook.cmd" --event stop`,
      `& 'C:\\Users\\me\\.subconscious-mcp\\bin\\subconscious-hook.cmd' --event stop`,
      `'/old home/.subconscious-mcp/bin/subconscious-hook' --event stop`,
      'subconscious-mcp hook --event stop',
      '/opt/venv/bin/subconscious-mcp --config "/x y.json" hook --event stop',
      'uvx --from subconscious-mcp==0.2.0 subconscious-mcp hook --event stop',
      'python -m subconscious_mcp hook --event stop',
      '"C:\\Program Files\\Python\\subconscious-mcp.exe" hook --event stop',
      'SUBCONSCIOUS_LOG_LEVEL=DEBUG subconscious-mcp hook --event=stop',
    ]) {
      const group = { matcher: '*', hooks: [hook('a'), hook(old), hook('b')] };
      const after = JSON.parse(
        install(JSON.stringify({ hooks: { Stop: [{ hooks: [] }, group] } }, null, 2)),
      ) as {
        hooks: { Stop: unknown };
      };
      const ours = { type: 'command', command: commandOf('stop'), timeout: 10 };
      assert.deepEqual(
        after.hooks.Stop,
        [{ hooks: [] }, { matcher: '*', hooks: [hook('a'), ours, hook('b')] }],
        old,
      );
    }
  });

  it('replaces the form without a shell, too', () => {
    const old = { ...hook('/my h/.subconscious-mcp/bin/subconscious-hook'), args: ['--event', 'stop'] };
    const after = install(JSON.stringify({ hooks: { Stop: [{ hooks: [old] }] } }));
    assert.deepEqual((JSON.parse(after) as { hooks: { Stop: unknown } }).hooks.Stop, [
      { hooks: [{ type: 'command', command: commandOf('stop'), timeout: 10 }] },
    ]);
  });

  it('leaves one of several entries of ours', () => {
    const twice = {
      hooks: { Stop: [{ hooks: [hook('a'), hook(commandOf('stop'))] }, ...(ourHooks()['Stop'] ?? [])] },
    };
    const after = JSON.parse(install(JSON.stringify(twice, null, 2))) as { hooks: { Stop: unknown } };
    assert.deepEqual(after.hooks.Stop, [{ hooks: [hook('a'), hook(commandOf('stop'))] }]);
  });

  it('takes nobody else for its own', () => {
    for (const other of [
      'my-subconscious-hook --event stop',
      '/x/subconscious-hook-wrapper --event stop',
      'subconscious-hook.sh --event stop',
      'cd ~/subconscious-mcp && ./notify hook now',
      'subconscious-mcp --version',
      'subconscious-mcp-lite hook --event stop',
      'other-subconscious-mcp hook --event stop',
      'echo subconscious-hook --event stop',
      "grep -c '/h/.subconscious-mcp/bin/subconscious-hook' --event log",
      "tail -f '/h/subconscious-hook' --event stop",
      'cp /h/.subconscious-mcp/bin/subconscious-hook --event /backup',
      "'/h/.subconscious-mcp/bin/subconscious-hook' --version",
      '/h/.subconscious-mcp/bin/subconscious-hook',
      'notify "subconscious-hook" --event stop',
      'echo subconscious-mcp hook --event stop >> log',
      'notify "the subconscious-mcp hook --event stop ran"',
      'subconscious-mcp remember the hook --event stop',
      'subconscious-mcp hook',
      'python notify.py subconscious-mcp hook --event stop',
      'python notify.py; echo subconscious-mcp hook --event stop',
    ]) {
      const text = JSON.stringify({ hooks: { Stop: [{ hooks: [hook(other)] }] } }, null, 2);
      assert.ok(install(text).includes(JSON.stringify(other)), other);
      assert.equal(uninstall(text, null), text);
    }
  });

  it('means the last of two properties of one name, as the client does', () => {
    const text = '{\n  "hooks": 1,\n  "hooks": {}\n}\n';
    assert.deepEqual(JSON.parse(install(text)), { hooks: ourHooks() });
  });
});

describe('a text that has no place for hooks', () => {
  for (const [problem, text, place] of [
    ['a missing comma', '{\n  "a": 1\n  "b": 2\n}', 'line 3, column 3'],
    ['an open end', '{\n  "a": [1,\n', 'line 3, column 1'],
    ['something behind the end', '{}\n{}', 'line 2, column 1'],
    ['no object at the top', '\n[]', 'line 2, column 1'],
    ['comments alone', '// nothing\n', 'line 2, column 1'],
    ['hooks that are no object', '{\n "hooks": []\n}', 'line 2, column 11'],
    ['hooks that are null', '{"hooks": null}', 'line 1, column 11'],
    ['an event that is no list', '{"hooks": {\n"Stop": {}}}', 'line 2, column 9'],
  ] as const) {
    it(`is refused with file, line and advice: ${problem}`, () => {
      assert.throws(
        () => install(text),
        (error) => {
          assert.ok(error instanceof ClientError);
          assert.ok(error.message.startsWith(`${FILE} `), error.message);
          assert.ok(error.message.includes(`: ${place}. Nothing was changed. Correct`), error.message);
          return true;
        },
      );
    });
  }

  it('is refused when hooks shall be removed from it, if it is no JSON object', () => {
    for (const text of ['{"a" 1}', '[]']) assert.throws(() => uninstall(text, null), ClientError);
    const odd = '{"hooks": {"Stop": 7, "PreToolUse": [1, {"hooks": 2}]}}';
    assert.equal(uninstall(odd, null), odd);
  });
});

describe('removing hooks', () => {
  const before = (hooks: string) => `{\n  "model": "opus", // mine\n${hooks}  "theme": "dark"\n}\n`;

  it('leaves nothing of ours and every other character', () => {
    for (const text of [
      before(''),
      before(
        '  "hooks": {\n    "Stop": [\n      {"hooks": [{"type": "command", "command": "a"}]} // x\n    ],\n  },\n',
      ),
      before('  "hooks": {"Stop": [{"hooks": []}]},\n'),
      '{\r\n\t"a": 1,\r\n}\r\n',
      '{"a":1}',
    ]) {
      assert.equal(uninstall(install(text), text), text);
    }
  });

  it('takes out what became empty by that, unless it was there before', () => {
    const kept = '{\n  "hooks": {\n    "Stop": []\n  }\n}';
    assert.equal(uninstall(install(kept), kept), kept);
    assert.equal(uninstall(install(kept), null), '{}');
    const empty = '{"hooks": {}}';
    for (const original of [empty, `\uFEFF${empty}`]) {
      assert.equal(uninstall(install(empty), original), empty);
    }
  });

  it('keeps hooks, groups and comments that others have added in between', () => {
    const installed = install('{}\n');
    const theirs = installed
      .replace('"Stop": [', '// theirs\n    "Stop": [\n      {"matcher": "", "hooks": [{"command": "a"}]},')
      .replace('"timeout": 10\n          }', '"timeout": 10\n          },\n          {"command": "b"}');
    const after = uninstall(theirs, '{}\n');
    assert.ok(after.includes('// theirs'));
    assert.deepEqual(contentOf(after), {
      hooks: {
        SessionStart: [{ matcher: '', hooks: [{ command: 'b' }] }],
        Stop: [{ matcher: '', hooks: [{ command: 'a' }] }],
      },
    });
  });

  it('finds entries of any version under any event', () => {
    const old = commandsIn('/elsewhere/bin');
    const text = JSON.stringify(
      { hooks: { PreCompact: [{ hooks: [hook(old('pre-compact'))] }], Stop: [] } },
      null,
      2,
    );
    assert.equal(uninstall(text, null), '{\n  "hooks": {\n    "Stop": []\n  }\n}');
  });
});

describe('over any settings text', () => {
  it('installing twice is installing once, and changes nothing but to add', () => {
    fc.assert(
      fc.property(settingsText, (text) => {
        const once = over(text, install);
        assert.equal(over(once, install), once);
        for (const [event, groups] of Object.entries(ourHooks())) {
          const found = (contentOf(once) as { hooks: Record<string, unknown[]> }).hooks[event];
          assert.deepEqual(found?.at(-1), groups[0]);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('what was added is taken out again to the last character', () => {
    fc.assert(
      fc.property(settingsText, (text) => {
        assert.equal(
          over(over(text, install), (installed) => uninstall(installed, text)),
          text,
        );
      }),
      { numRuns: 500 },
    );
  });
});
