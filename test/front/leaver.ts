import { leaving } from '../../src/server/leaving.js';

// Has nothing to do but to read a stdin that stays open, until it is time to leave.
process.stdin.resume();
const reason = leaving();
process.stdout.write(`${process.pid}\n`);
void reason.then((word) => {
  process.stdout.write(word);
  process.stdin.destroy();
});
