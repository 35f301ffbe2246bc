import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import {
  launchHost,
  thisSystem,
  type Launch,
  type LaunchOptions,
  type LaunchSystem,
} from '../../src/server/launch.js';

/** A process that starts a host, and does nothing else: it ends when nothing keeps it. */
const options = JSON.parse(process.argv[2] ?? '') as LaunchOptions; // From the test beside this file.
const shells = /sh$|cmd\.exe$/;
const withoutShell: LaunchSystem = {
  ...thisSystem,
  spawn: (program, args, how) => spawn(shells.test(program) ? '/no/such/shell' : program, args, how),
};
let launch: Launch | undefined;

const orders = createInterface({ input: process.stdin });
orders.on('line', (order) => {
  if (order === 'launch') launch = launchHost(options);
  if (order === 'launch without a shell') launch = launchHost(options, withoutShell);
  if (order === 'release') {
    launch?.release();
    launch?.release();
    orders.close();
    process.stdin.unref();
  }
});
process.stdout.write('ready\n');
