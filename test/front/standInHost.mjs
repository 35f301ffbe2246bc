// Stands in for the host: tells a port of the test who it is, then does what its options say. It serves until
// the test hangs up, so that none outlives its test.
import { connect } from 'node:net';

const { port, say, then } = JSON.parse(process.env.SUBCONSCIOUS_HOST_OPTIONS);
const { pid, env } = process;

const ends = {
  crash: () => {
    throw new Error('the roof fell in');
  },
  exit: () => process.exit(1),
};

if (say !== undefined) process.stderr.write(say);
if (then !== undefined) ends[then]();

const line = connect(port, '127.0.0.1');
line.write(
  `${JSON.stringify({ pid, cwd: process.cwd(), script: process.argv[1], words: process.argv.slice(2), mode: env.MODE })}\n`,
);
line.on('data', (data) => line.write(data));
line.on('error', () => process.exit());
line.on('close', () => process.exit());
