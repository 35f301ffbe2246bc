import { spawnSync } from 'node:child_process';
import { PROJECT } from './places.js';

const VARIABLE = 'SUBCONSCIOUS_E2E_VSIX';

/** The packaged extension that the runner has made, or that it was told of. */
export function extensionVsix(): string {
  const file = process.env[VARIABLE];
  if (file === undefined) throw new Error(`There is no ${VARIABLE}: run the tests by npm run test:vscode`);
  return file;
}

/** Packages the extension as it is published into `file`, unless an existing .vsix was named. */
export function packageExtension(file: string): void {
  if (process.env[VARIABLE] !== undefined) return;
  const { status, stdout, stderr } = spawnSync('npm', ['run', '-s', 'package', '--', '--out', file], {
    cwd: PROJECT,
    encoding: 'utf8',
    timeout: 300_000,
  });
  if (status !== 0) throw new Error(`npm run package failed:\n${stdout}${stderr}`);
  process.env[VARIABLE] = file;
}
