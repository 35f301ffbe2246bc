import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unlinkQuietly, makePrivateFolder, uniqueHex } from '../capture/folders.js';
import { logsOf } from '../capture/hookLog.js';
import { redact } from '../capture/redact/redact.js';
import { captureSwitchedOff } from '../project/captureSwitch.js';
import { textField, type HookContext } from './hookContext.js';

const KEPT = 20;
const SAMPLE = /^[A-Za-z]+-(\d{8}T\d{9}Z)-[0-9a-f]{16}\.json$/;

/** Keeps what a client says of an event, masked, for those who want to know its shape. The newest 20 stay. */
export function keepSample({ payload, config, directory, home, now }: HookContext): void {
  if (captureSwitchedOff({ directory, home })) return;
  const folder = join(logsOf(config.storageDir), 'payload_samples');
  makePrivateFolder(folder);
  const event = /^[A-Za-z]{1,40}$/.exec(textField(payload, 'hook_event_name'))?.[0] ?? 'unknown';
  const time = new Date(now * 1000).toISOString().replace(/[-:.]/g, '');
  writeFileSync(join(folder, `${event}-${time}-${uniqueHex()}.json`), `${masked(payload)}\n`, {
    flag: 'wx',
    mode: 0o600,
  });
  const samples = readdirSync(folder)
    .flatMap((name) => {
      const at = SAMPLE.exec(name)?.[1];
      return at === undefined ? [] : [{ name, at }];
    })
    .sort((a, b) => (a.at < b.at ? 1 : -1));
  for (const { name } of samples.slice(KEPT)) unlinkQuietly(join(folder, name));
}

/** Each text by itself, and once more beside its name, which can tell what it is. */
function masked(payload: HookContext['payload']): string {
  const mask = (_name: string, value: unknown): unknown =>
    typeof value === 'string' ? redact(value).text : value;
  return redact(JSON.stringify(payload, mask, 1)).text;
}
