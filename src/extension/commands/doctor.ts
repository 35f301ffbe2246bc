import { spawn } from 'node:child_process';
import * as vscode from 'vscode';
import { commandId, SCHEME, type CommandName } from '../contributions.js';
import { closeDocument, openDocument, uriOf } from '../documents/openDocument.js';
import type { Window } from '../window.js';
import { requireTrust } from './confirm.js';
import { longWork } from './longWork.js';

/** As `subconscious-mcp doctor --json` says it. */
interface Examination {
  readonly ok: boolean;
  readonly version: string;
  readonly findings: readonly {
    readonly check: string;
    readonly level: 'ok' | 'warning' | 'error';
    readonly message: string;
    readonly advice: string;
    readonly fixed?: true;
  }[];
  readonly backup?: string;
}

const ADDRESS = { kind: 'doctor', id: 'report' } as const;
let report = '';

/** The text of the last examination of this window, or how to make one: a tab may be older than the window. */
export function doctorReport(): string {
  if (report !== '') return report;
  const words = vscode.l10n.t('This report was not kept when the window was closed or loaded again.');
  return ['# Doctor', '', words, '', link('runDoctor', vscode.l10n.t('Run the doctor')), ''].join('\n');
}

/** Looks at everything memory needs and shows the result as a document; `fix` mends what is safe to mend. */
export async function runDoctor(window: Window, fix: unknown): Promise<void> {
  const mend = fix === true;
  if (mend) requireTrust();
  const examination = await longWork(vscode.l10n.t('Running the doctor'), (signal) =>
    examine(window, mend, signal),
  );
  if (examination === null) return;
  report = textOf(examination);
  const title = vscode.l10n.t('Doctor');
  // An older report is no file that changes by itself.
  await closeDocument(uriOf(ADDRESS, title));
  await openDocument(ADDRESS, title);
}

async function examine({ launch }: Window, fix: boolean, signal: AbortSignal): Promise<Examination> {
  const { command, args, env, cwd } = launch();
  const [script, ...rest] = args;
  const words = [script ?? '', 'doctor', '--json', ...(fix ? ['--fix'] : []), ...rest];
  const child = spawn(command, words, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
    signal,
  });
  let [out, heard] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (out += piece));
  child.stderr.setEncoding('utf8').on('data', (piece: string) => (heard += piece));
  await new Promise<void>((resolve, reject) => child.on('close', () => resolve()).on('error', reject));
  try {
    return JSON.parse(out) as Examination;
  } catch (cause) {
    throw new Error(vscode.l10n.t('The doctor could not finish: {0}', heard.trim() || out.trim()), { cause });
  }
}

/** What can be clicked in the last report, by what it says. */
const links = new Map<string, vscode.Uri>();

function textOf({ ok, version, findings, backup }: Examination): string {
  links.clear();
  const signs = { ok: '✓', warning: '!', error: '✗' };
  const [wrong, fine] = [
    findings.filter(({ level }) => level !== 'ok'),
    findings.filter(({ level }) => level === 'ok'),
  ];
  const lines = [...wrong, ...fine].flatMap(({ check, level, message, advice, fixed }) => [
    `${signs[level]} ${check}: ${fixed ? `${vscode.l10n.t('found and mended:')} ` : ''}${message}`,
    ...(advice === '' ? [] : [`  → ${advice}`]),
    ...mendingLink(check, level),
    '',
  ]);
  const sum = ok
    ? wrong.length === 0
      ? vscode.l10n.t('Everything is in order.')
      : vscode.l10n.t('It works; there is something to know.')
    : vscode.l10n.t('Something is wrong.');
  const ends = [
    ...(wrong.length === 0 ? [] : [link('runDoctor', vscode.l10n.t('Mend what is safe to mend'), true)]),
    link('runDoctor', vscode.l10n.t('Look again')),
    link('showLog', vscode.l10n.t('Show the log')),
  ];
  const kept =
    backup === undefined ? [] : [vscode.l10n.t('What was changed is kept as it was in {0}.', backup), ''];
  return [
    '# Doctor',
    '',
    `${sum} (Subconscious ${version})`,
    '',
    ...lines,
    ...kept,
    ends.join('  '),
    '',
  ].join('\n');
}

function mendingLink(check: string, level: string): string[] {
  if (level === 'ok') return [];
  const commands: Readonly<Record<string, readonly [CommandName, string]>> = {
    server: ['restartServer', vscode.l10n.t('Restart the server')],
    hooks: ['installHooks', vscode.l10n.t('Install the hooks')],
    config: ['openSettings', vscode.l10n.t('Open the settings')],
    inbox: ['showInbox', vscode.l10n.t('Show the inbox')],
  };
  const found = commands[check];
  return found ? [`  ${link(...found)}`] : [];
}

function link(name: CommandName, words: string, argument?: unknown): string {
  const query = argument === undefined ? '' : `?${encodeURIComponent(JSON.stringify([argument]))}`;
  links.set(words, vscode.Uri.parse(`command:${commandId(name)}${query}`, true));
  return `[${words}]`;
}

/** Makes the commands in the report something to click. */
export function commandLinks(): vscode.Disposable {
  return vscode.languages.registerDocumentLinkProvider(
    { scheme: SCHEME, pattern: '/doctor/**' },
    {
      provideDocumentLinks: (document) =>
        [...document.getText().matchAll(/\[([^\]\n]+)\]/g)].flatMap((found) => {
          const target = links.get(found[1] ?? '');
          const [start, end] = [
            document.positionAt(found.index),
            document.positionAt(found.index + found[0].length),
          ];
          return target ? [new vscode.DocumentLink(new vscode.Range(start, end), target)] : [];
        }),
    },
  );
}
