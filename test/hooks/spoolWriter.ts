// Adds its own turns to many sessions, one after the other, as fast as it can: as many hooks as would take a minute
// to start. Arguments: inbox, own name, number of sessions, turns for each.
import { spoolTurns } from '../../src/capture/spoolTurns.js';
import { session, turn } from '../capture/sessionBuilder.js';

const [inbox = '', name = '', sessions = '', turns = ''] = process.argv.slice(2);
// All begin at once.
process.stdout.write('ready\n');
process.stdin.once('data', () => {
  for (let s = 0; s < Number(sessions); s += 1) {
    for (let n = 0; n < Number(turns); n += 1) {
      spoolTurns(inbox, session([turn(`${name}-${n}`, { at: n })], { sessionId: `session-${s}` }));
    }
  }
  process.exit(0);
});
