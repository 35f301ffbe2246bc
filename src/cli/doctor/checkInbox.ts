import { lstat, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { counted } from '../../capture/briefText.js';
import { logsOf } from '../../capture/hookLog.js';
import {
  damagedOf,
  inboxOf,
  publish,
  readSpoolDocument,
  removeDrafts,
  staleDrafts,
} from '../../capture/spool.js';
import { ok, warning, type Observation } from './finding.js';
import { folderFault } from './folderFault.js';
import { serverLog } from './serverLog.js';
import type { Surroundings } from './surroundings.js';

/** A memory process takes new files up at once; after so many seconds something keeps it from that. */
const LATE = 5;
/** It is given the same time to make a beginning, in looks with so many milliseconds between them. */
const PAUSE = 200;
const LOOKS = 25;

/** What hooks have left for the memory process. */
export async function checkInbox(around: Surroundings, pause = PAUSE): Promise<Observation[]> {
  const { config, uid } = around;
  const inbox = inboxOf(config.storageDir);
  const faults = [
    await folderFault(inbox, uid, 'Nothing of any session can be captured.'),
    await folderFault(logsOf(config.storageDir), uid, 'Hooks cannot write down how they went.'),
  ].flatMap((one) => one ?? []);
  if (faults.length > 0) return faults;
  const waiting = await waitingFinding(around, inbox, pause);
  return [waiting, ...(await damagedFindings(around)), ...draftFindings(around, inbox)];
}

/** A number that falls is a backlog, however long it has waited, and no fault. */
async function waitingFinding(around: Surroundings, inbox: string, pause: number): Promise<Observation> {
  const running = (await around.ask()).reached && !around.config.standalone;
  const isLate = ({ at }: { at: number }) => around.now() - at > LATE;
  let waiting = await filesIn(inbox, '.json');
  const atFirst = waiting.length;
  const isStuck = () => running && waiting.some(isLate) && waiting.length >= atFirst;
  for (let look = 1; isStuck() && look < LOOKS; look += 1) {
    await sleep(pause);
    waiting = await filesIn(inbox, '.json');
  }
  if (waiting.length === 0) return ok('No captured session waits.');
  const wait = counted(waiting.length, 'captured session waits', 'captured sessions wait');
  if (!isStuck()) {
    return ok(
      `${wait} for ${running ? 'the memory process, which takes them up' : 'the next client to start'}.`,
    );
  }
  return warning(
    `${wait} in ${inbox} although the memory process runs.`,
    `Its log says why: ${serverLog(around)}. Nothing is lost meanwhile.`,
  );
}

async function damagedFindings({ config }: Surroundings): Promise<Observation[]> {
  const inbox = inboxOf(config.storageDir);
  const folder = damagedOf(config.storageDir);
  const names = (await filesIn(folder, '')).map(({ name }) => name);
  const readable = names.filter((name) => name.endsWith('.json') && isReadable(join(folder, name)));
  const damaged = names.length - readable.length;
  return [
    ...(readable.length === 0
      ? []
      : [
          warning(
            `${counted(readable.length, 'captured session was', 'captured sessions were')} set aside in ${folder} as damaged, but can be read now.`,
            `Move what can be read back into ${inbox}.`,
            {
              changes: readable.map((name) => join(folder, name)),
              apply: () => moveBack(folder, inbox, readable),
            },
          ),
        ]),
    ...(damaged === 0
      ? []
      : [
          warning(
            `${counted(damaged, 'captured session', 'captured sessions')} could not be read and ${damaged === 1 ? 'was' : 'were'} set aside in ${folder}.`,
            'Look at what is there. Mend it and run doctor --fix, or delete it.',
          ),
        ]),
  ];
}

async function moveBack(folder: string, inbox: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const text = await readFile(join(folder, name), 'utf8');
    // Nothing takes the place of a file that is there.
    if (publish(join(inbox, name), text)) await rm(join(folder, name));
  }
}

function draftFindings({ now }: Surroundings, inbox: string): Observation[] {
  const drafts = staleDrafts(inbox, now());
  if (drafts.length === 0) return [];
  return [
    warning(
      `${counted(drafts.length, 'unfinished file', 'unfinished files')} of hooks that were ended lie in ${inbox}.`,
      'The next client removes them when it starts.',
      {
        changes: drafts,
        apply: () => {
          removeDrafts(inbox, now());
          return Promise.resolve();
        },
      },
    ),
  ];
}

function isReadable(path: string): boolean {
  try {
    return 'session' in readSpoolDocument(path);
  } catch {
    return false;
  }
}

/** Files whose names end so, with the time of their last change in seconds since 1970. */
async function filesIn(folder: string, ending: string): Promise<{ name: string; at: number }[]> {
  const names = await readdir(folder).catch(() => []);
  const found = await Promise.all(
    names
      .filter((name) => name.endsWith(ending))
      .map(async (name) => ({ name, file: await lstat(join(folder, name)).catch(() => null) })),
  );
  return found.flatMap(({ name, file }) =>
    file?.isFile() === true ? [{ name, at: file.mtimeMs / 1000 }] : [],
  );
}
