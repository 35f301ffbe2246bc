import fc from 'fast-check';
import { CLIENT_EVENTS } from '../../src/clients/hookEntries.js';

export const FILE = '/home/me/.claude/settings.json';

/** Commands as an installation writes them, of this version or, with another folder, of an older one. */
export const commandsIn = (folder: string) => (event: string) =>
  `'${folder}/subconscious-hook' --event ${event}`;
export const commandOf = commandsIn('/home/me/.subconscious-mcp/bin');

export function hook(command: string) {
  return { type: 'command', command };
}

/** What is under "hooks" for each event when nothing else is there. */
export function ourHooks(command = commandOf) {
  return Object.fromEntries(
    CLIENT_EVENTS.map(([event, name]) => [
      event,
      [{ matcher: '', hooks: [{ type: 'command', command: command(name), timeout: 10 }] }],
    ]),
  );
}

/** A group of somebody else, at times with a shape no client takes. */
const foreignGroup = fc.oneof(
  fc.record(
    {
      matcher: fc.constantFrom('', '*', 'Bash', 'startup|resume'),
      hooks: fc.array(
        fc.constantFrom<unknown>(
          hook('echo "done" > /tmp/x'),
          { ...hook('./my-subconscious-hooks.sh --event stop'), timeout: 3 },
          hook('notify {} [],// no comment'),
          null,
          'text',
        ),
        { maxLength: 3 },
      ),
    },
    { requiredKeys: ['hooks'] },
  ),
  fc.constantFrom<unknown>(hook('flat'), 7, {}, { hooks: 'text' }),
);

const foreignHooks = fc.dictionary(
  fc.constantFrom('SessionStart', 'Stop', 'SessionEnd', 'PreToolUse', 'Notification'),
  fc.array(foreignGroup, { maxLength: 3 }),
  { maxKeys: 4 },
);

const otherValue = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<unknown>(true, null, -1.5, '', 'a "quoted" \\ text', 'http://x/y', '日本語 /* no */'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b c', 'hooks', '//'), tie('value'), { maxKeys: 3 }),
  ),
})).value;

/** What a settings file may hold: anything, and in most cases hooks of others, before or after it. */
export const settings = fc
  .record({
    before: fc.dictionary(fc.constantFrom('permissions', 'env', 'model'), otherValue, { maxKeys: 3 }),
    hooks: fc.option(foreignHooks, { nil: undefined }),
    after: fc.dictionary(fc.constantFrom('theme', 'statusLine'), otherValue, { maxKeys: 2 }),
  })
  .map(({ before, hooks, after }) => ({ ...before, ...(hooks === undefined ? {} : { hooks }), ...after }));

/** One way to write JSON down. */
const style = fc.record({
  unit: fc.constantFrom('', '  ', '    ', '\t'),
  eol: fc.constantFrom('\n', '\r\n'),
  mark: fc.constantFrom('', '\uFEFF'),
  end: fc.constantFrom('', '\n', '\n\n'),
  trailingCommas: fc.boolean(),
  comments: fc.array(fc.constantFrom('', '', ' // note "x", {', ' /* [ */', '\n// a line\n'), {
    maxLength: 40,
  }),
});

/** Settings as text, as an editor or a person may have left them. */
export const settingsText = fc.tuple(settings, style).map(([content, how]) => {
  let turn = 0;
  const comment = () => how.comments[turn++ % Math.max(1, how.comments.length)] ?? '';
  const lines = JSON.stringify(content, null, how.unit).split('\n');
  const text = lines.map((line, at) => {
    const isLast = /^\s*[\]}]/.test(lines[at + 1] ?? '') && !/[,[{]$/.test(line);
    return `${line}${how.trailingCommas && isLast ? ',' : ''}${lines.length > 1 ? comment() : ''}`;
  });
  return how.mark + `${text.join('\n')}${how.end}`.replaceAll('\n', how.eol);
});
