import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { commandId, PALETTE_COMMANDS, VIEW_COMMANDS } from '../../src/extension/contributions.js';
import { json, manifest, said } from './manifest.js';
import { actOf, calledName, callsOf, demandsTrust, literalsOf } from './sources.js';

const NAMES = [...PALETTE_COMMANDS, ...VIEW_COMMANDS];

/** Calls after which somebody has to type or choose. */
const ASKING = ['showQuickPick', 'createQuickPick', 'showInputBox', 'createInputBox', 'showOpenDialog'];
/** What a title with three dots may lead to besides: a question, or a draft that is to be saved. */
const LEADING = [...ASKING, 'confirmed', 'openDocument'];

/** What may be done in a folder that is not trusted: it reads, or changes nothing but what the window shows. */
const READING = [
  ...['recall', 'search', 'openMemory', 'showDriftReport', 'showInbox', 'runDoctor', 'chooseProject'],
  ...['openSettings', 'showLog', 'restartServer', 'refresh', 'filterMemories', 'clearFilter', 'groupByTag'],
  ...['groupByTime', 'showHidden', 'hideHidden', 'loadMore', 'copyAnswer', 'editMemory', 'compareVersion'],
  ...['openTranscript'],
];

/** Names of the server's tools that only read. */
function readingTools(): string[] {
  type Surface = { tools: { name: string; annotations: { readOnlyHint?: boolean } }[] };
  return ['surface.snap.json', 'surface.admin.snap.json']
    .flatMap((file) => (json(`test/tools/${file}`) as Surface).tools)
    .filter(({ annotations }) => annotations.readOnlyHint === true)
    .map(({ name }) => name);
}

function declared(name: (typeof NAMES)[number]) {
  const command = manifest.contributes.commands.find((one) => one.command === commandId(name));
  assert.ok(command, name);
  return command;
}

describe('a command', () => {
  for (const name of NAMES) {
    const calls = callsOf(actOf(name));
    const called = calls.map(calledName);
    const title = said(declared(name).title);

    it(`${name} has a title with three dots where it asks for more before it does anything`, () => {
      if (called.some((one) => ASKING.includes(one))) assert.match(title, /[^.]\.\.\.$/);
      if (title.endsWith('...'))
        assert.ok(
          called.some((one) => LEADING.includes(one)),
          `${title} asks nothing`,
        );
    });

    it(`${name} is offered in trusted folders alone where it changes something, and refuses by itself`, () => {
      const changes = calls
        .filter((call) => calledName(call) === 'call')
        .flatMap(({ arguments: [tool] }) => (tool ? literalsOf(tool) : []))
        .some((tool) => !readingTools().includes(tool));
      const isGuarded = demandsTrust(actOf(name));
      assert.ok(isGuarded || !changes, 'it calls a tool that changes something');
      assert.equal(declared(name).enablement, isGuarded ? 'isWorkspaceTrusted' : undefined);
    });
  }
});

describe('the commands of folders that are not trusted', () => {
  it('are those that are known to change nothing', () => {
    const offered = NAMES.filter((name) => declared(name).enablement === undefined);
    assert.deepEqual([...offered].sort(), [...READING].sort());
  });
});
