import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import ts from 'typescript';
import {
  CONTEXT_KEYS,
  PALETTE_COMMANDS,
  SCHEME,
  SERVER_PROVIDER,
  SETTINGS,
  SETTINGS_SECTION,
  VIEW_COMMANDS,
  VIEWS,
} from '../../src/extension/contributions.js';
import { clauses, linkedCommands, manifest, manifestText, menuItems, ROOT, said } from './manifest.js';
import { code, literalsOf, nodesOf, sources } from './sources.js';

const { contributes } = manifest;
const commands = contributes.commands.map(({ command }) => command);
const views = Object.values(contributes.views).flat();
const id = (name: string) => `subconscious.${name}`;

/** What the editor itself knows and may be asked for. */
const EDITOR_KEYS = [
  'view',
  'viewItem',
  'focusedView',
  'inputFocus',
  'editorHasSelection',
  'isWorkspaceTrusted',
];
const EDITOR_COMMANDS = ['workbench.view.extension.subconscious', 'workbench.trust.manage'];

describe('commands', () => {
  it('are declared, every one that the code has, and no other', () => {
    assert.deepEqual([...commands].sort(), [...PALETTE_COMMANDS, ...VIEW_COMMANDS].map(id).sort());
  });

  it('are in the palette where they make sense there: those of a view or a row are hidden', () => {
    const hidden = contributes.menus.commandPalette.map(({ command, when }) => [command, when]);
    assert.deepEqual(hidden.sort(), VIEW_COMMANDS.map((name) => [id(name), 'false']).sort());
  });

  it('of a view are in a menu of it, or what a click on a row does', () => {
    const offered = new Set(menuItems.filter(({ when }) => when !== 'false').map(({ command }) => command));
    const lost = VIEW_COMMANDS.filter(
      (name) => !offered.has(id(name)) && !code.includes(`commandId('${name}')`),
    );
    assert.deepEqual(lost, []);
  });

  it('are there wherever a menu, a key or a link leads', () => {
    const named = [...menuItems.map(({ command }) => command), ...linkedCommands()];
    const unknown = named.filter(
      (command) => !commands.includes(command) && !EDITOR_COMMANDS.includes(command),
    );
    assert.deepEqual(unknown, []);
    for (const { id: container } of contributes.viewsContainers.activitybar) {
      assert.ok(EDITOR_COMMANDS.includes(`workbench.view.extension.${container}`));
    }
  });

  it('have a category and, where they stand beside a row or a title, an icon of the editor', () => {
    const visible = menuItems.filter(({ group }) => /^(inline|navigation)/.test(group ?? ''));
    for (const { command, category, icon } of contributes.commands) {
      assert.equal(category, 'Subconscious', command);
      if (icon !== undefined) assert.match(icon, /^\$\([a-z]+(-[a-z]+)*\)$/, command);
      const needsIcon = visible.some((item) => item.command === command);
      assert.ok(icon !== undefined || !needsIcon, `${command} needs an icon`);
    }
  });

  it('have a key only in a view of ours, and never where somebody types', () => {
    for (const { when = '' } of contributes.keybindings) {
      const [, view] = /\bfocusedView == ([\w.]+)/.exec(when) ?? [];
      assert.ok(
        Object.values(VIEWS).some((known) => known === view),
        when,
      );
      assert.match(when, /!inputFocus/);
    }
  });
});

describe('views', () => {
  it('are declared, every one that the code has, and no other', () => {
    assert.deepEqual(views.map((view) => view.id).sort(), Object.values(VIEWS).sort());
    for (const name of Object.keys(VIEWS)) assert.ok(code.includes(`createTreeView(VIEWS.${name},`), name);
  });

  it('belong to a container that is declared', () => {
    assert.deepEqual(
      Object.keys(contributes.views),
      contributes.viewsContainers.activitybar.map((container) => container.id),
    );
  });

  it('say what to do where they are empty and where there is no server', () => {
    for (const view of Object.values(VIEWS)) {
      for (const state of ['failed', 'ready']) {
        const texts = contributes.viewsWelcome.filter(
          (welcome) => welcome.view === view && welcome.when.startsWith(`subconscious.server == '${state}'`),
        );
        assert.notEqual(texts.length, 0, `${view}, ${state}`);
      }
    }
  });

  it('are there wherever a menu or a welcome text names one', () => {
    const named = clauses.flatMap((clause) => [...clause.matchAll(/\b(?:view|focusedView) == ([\w.]+)/g)]);
    const all = [
      ...named.map(([, view]) => String(view)),
      ...contributes.viewsWelcome.map(({ view }) => view),
    ];
    assert.deepEqual(
      all.filter((view) => !views.some((known) => known.id === view)),
      [],
    );
  });

  it('have rows of every kind a menu is for', () => {
    const kinds = sources
      .flatMap((file) => nodesOf(file, ts.isBinaryExpression))
      .filter(({ left }) => left.getText().endsWith('.contextValue'))
      .flatMap(({ right }) =>
        ts.isConditionalExpression(right) ? [right.whenTrue, right.whenFalse] : [right],
      )
      .flatMap(literalsOf);
    assert.ok(kinds.length > 5, 'the scan finds them');
    const patterns = clauses.flatMap((clause) => [...clause.matchAll(/\bviewItem (=~|==) (\/.*?\/|\S+)/g)]);
    for (const [text, how, pattern = ''] of patterns) {
      const [, all = ''] = /^\/\^\(?([a-z|]+)\)?\/$/.exec(pattern) ?? [];
      const wanted = how === '==' ? [pattern] : all.split('|');
      for (const kind of wanted) {
        assert.ok(kinds.includes(kind), `${text}: no row is a "${kind}"`);
        assert.deepEqual(
          kinds.filter((one) => one.startsWith(kind) && one !== kind),
          [],
          'the pattern is for no other row',
        );
      }
    }
  });
});

describe('context keys', () => {
  const tokens = clauses.flatMap((clause) =>
    [
      ...clause.replace(/'[^']*'|\/.*?\/|\b(?:view|focusedView) == [\w.]+/g, '').matchAll(/[a-zA-Z][\w.]*/g),
    ].map(String),
  );

  it('are asked for, every one that the code sets, and no other', () => {
    const asked = new Set(tokens.filter((token) => token.startsWith('subconscious.')));
    assert.deepEqual([...asked].sort(), Object.values(CONTEXT_KEYS).sort());
    for (const name of Object.keys(CONTEXT_KEYS)) assert.ok(code.includes(`set(CONTEXT_KEYS.${name},`), name);
  });

  it('of the editor are those that are known here', () => {
    const foreign = tokens.filter((token) => !token.startsWith('subconscious.') && token !== 'false');
    assert.deepEqual(
      foreign.filter((token) => !EDITOR_KEYS.includes(token)),
      [],
    );
  });

  it('are compared with values that the code sets', () => {
    const compared = clauses.flatMap((clause) => [...clause.matchAll(/subconscious\.\w+ [!=]= '(\w+)'/g)]);
    assert.ok(compared.length > 3);
    for (const [text, value] of compared) assert.ok(code.includes(`'${String(value)}'`), text);
  });
});

describe('settings', () => {
  const settings = Object.entries(contributes.configuration.properties);
  /** Those that choose no program, no path and no threshold. */
  const harmless = ['agentMode.enabled'];

  it('are declared, every one that the code reads, and no other', () => {
    assert.deepEqual(
      settings.map(([name]) => name),
      SETTINGS.map((name) => `${SETTINGS_SECTION}.${name}`),
    );
    for (const name of SETTINGS)
      assert.match(code, new RegExp(`\\bvalue(<[^>]+>)?\\(\\s*'${name.replace('.', '\\.')}',`));
  });

  it('have a default and a description in sentences', () => {
    for (const [name, { description, markdownDescription, ...setting }] of settings) {
      assert.ok('default' in setting, name);
      assert.match(said(description ?? markdownDescription ?? ''), /^[A-Z].+\.$/, name);
    }
  });

  it("that choose a program, a path or a threshold are no folder's to decide", () => {
    const wary = settings.filter(([name]) => !harmless.includes(name.slice(SETTINGS_SECTION.length + 1)));
    assert.deepEqual(
      [...manifest.capabilities.untrustedWorkspaces.restrictedConfigurations].sort(),
      wary.map(([name]) => name).sort(),
    );
    for (const [name, { scope }] of settings) {
      assert.equal(scope, wary.some(([one]) => one === name) ? 'machine' : 'window', name);
    }
  });
});

describe('the walkthrough', () => {
  const steps = contributes.walkthroughs.flatMap((walkthrough) => walkthrough.steps);

  it('ticks off a step by something that happens', () => {
    for (const { id: step, completionEvents } of steps) {
      assert.notEqual(completionEvents.length, 0, step);
      for (const event of completionEvents) {
        const [, kind, name = ''] = /^(onCommand|onView):(.+)$/.exec(event) ?? [];
        const known = kind === 'onCommand' ? commands : kind === 'onView' ? views.map((view) => view.id) : [];
        assert.ok(known.includes(name), `${step}: ${event}`);
      }
    }
  });

  it('has a button for each step, a picture, and words for those who cannot see it', () => {
    for (const { id: step, description, media } of steps) {
      assert.match(said(description), /\n\[[^\]]+\]\(command:[\w.]+\)/, step);
      assert.match(said(media.altText), /^[A-Z].+\.$/, step);
    }
  });
});

describe('the manifest', () => {
  it('names files that are there', () => {
    const files = [
      manifest.icon,
      ...[...contributes.viewsContainers.activitybar, ...views].map(({ icon }) => icon),
      ...contributes.walkthroughs.flatMap(({ steps }) => steps.map(({ media }) => media.svg)),
      manifest.l10n,
    ];
    assert.deepEqual(
      files.filter((file) => !existsSync(join(ROOT, file))),
      [],
    );
  });

  it('names a bundle that the build writes', () => {
    assert.equal(manifest.main, './dist/extension.js');
    assert.match(
      readFileSync(join(ROOT, 'esbuild.mjs'), 'utf8'),
      /\bextension: 'src\/extension\/extension\.ts'/,
    );
  });

  it('offers the server under the id that the code registers', () => {
    assert.deepEqual(
      contributes.mcpServerDefinitionProviders.map((provider) => provider.id),
      [SERVER_PROVIDER],
    );
    assert.match(code, /\bregister\(SERVER_PROVIDER,/);
  });

  it('has the extension started for its documents and when the editor has started, for nothing else', () => {
    // Commands, views and the server provider are events by themselves.
    assert.deepEqual(
      [...manifest.activationEvents].sort(),
      [`onFileSystem:${SCHEME}`, 'onStartupFinished'].sort(),
    );
    assert.match(code, /registerFileSystemProvider\(SCHEME,/);
  });

  it('says what works in folders that are not trusted and those that are on no disk', () => {
    assert.equal(manifest.capabilities.untrustedWorkspaces.supported, 'limited');
    assert.equal(manifest.capabilities.virtualWorkspaces.supported, 'limited');
  });

  it('asks for the editor whose interface is compiled against', () => {
    const [, floor] = /^\^(\d+\.\d+)\.0$/.exec(manifest.engines.vscode) ?? [];
    assert.equal(manifest.devDependencies['@types/vscode'], `~${String(floor)}.0`);
  });

  it('names nothing of ours that the code does not know', () => {
    const named = [...manifestText.matchAll(/"subconscious\.([\w.]+)"/g)].map(([, name]) => String(name));
    const known = [
      ...[...PALETTE_COMMANDS, ...VIEW_COMMANDS, ...SETTINGS],
      ...[...Object.values(VIEWS), SERVER_PROVIDER].map((name) => name.slice('subconscious.'.length)),
    ];
    assert.deepEqual(
      named.filter((name) => !known.includes(name)),
      [],
    );
  });
});
