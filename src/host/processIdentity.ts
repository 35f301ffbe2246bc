import { execFile } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { processExists } from '../link/existence.js';

/** Who a process is, beyond its pid, which is used again. null: this system does not tell. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Opaque, except on Windows: there milliseconds since 1970. Never changes while the process lives. */
  readonly startTime: string | null;
  /** Differs after every start of the machine. */
  readonly bootId: string | null;
  readonly machineId: string;
  /** Name of the machine; may change, and two machines may share one. */
  readonly host: string;
  readonly pidNamespace: string | null;
}

/** `elsewhere`: on another machine or in another pid namespace, where its life cannot be seen from here. */
export type Verdict = 'running' | 'dead' | 'elsewhere';

/** What identity is read from. Nothing here throws: what cannot be had is null. */
export interface ProcessSystem {
  readonly platform: NodeJS.Platform;
  /** Pid of this process. */
  readonly pid: number;
  /** When this process started, in milliseconds since 1970. */
  readonly startedAt: number;
  /** Folder of Windows itself. */
  readonly systemRoot: string;
  hostname(): string;
  text(path: string): string | null;
  link(path: string): string | null;
  /** Standard output of a program that ended well. */
  run(program: string, args: readonly string[]): Promise<string | null>;
  /** False only where there is certainly no such process. */
  exists(pid: number): boolean;
}

/** A Windows clock may be read a little before or after the process counts as started. */
const START_SLACK_MS = 2_000;
const RUN_TIMEOUT_MS = 10_000;

/** The identity of the process that asks. */
export async function identifySelf(system: ProcessSystem = thisSystem): Promise<ProcessIdentity> {
  const pid = system.pid;
  const host = system.hostname();
  switch (system.platform) {
    case 'darwin': {
      const [now, bootId, hardware] = await Promise.all([
        observe(pid, system),
        system.run('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid']),
        system.run('/usr/sbin/ioreg', ['-rd1', '-c', 'IOPlatformExpertDevice']),
      ]);
      const serial = /"IOPlatformUUID" = "([^"]+)"/.exec(hardware ?? '')?.[1];
      const machineId = `darwin:${serial ?? host}`;
      return { pid, startTime: now.startTime, bootId: filled(bootId), machineId, host, pidNamespace: null };
    }
    case 'win32':
      // Start times are absolute here, so they tell processes apart across starts of the machine as well.
      return {
        pid,
        startTime: String(Math.round(system.startedAt)),
        bootId: null,
        machineId: `win32:${host}`,
        host,
        pidNamespace: null,
      };
    default: {
      const { startTime } = await observe(pid, system);
      const machine = /^[0-9a-f]{32}$/.exec(filled(system.text('/etc/machine-id')) ?? '')?.[0];
      return {
        pid,
        startTime,
        bootId: filled(system.text('/proc/sys/kernel/random/boot_id')),
        machineId: `${system.platform}:${machine ?? host}`,
        host,
        pidNamespace: filled(system.link('/proc/self/ns/pid')),
      };
    }
  }
}

/**
 * Whether the process of `other` still runs, as far as `self` can see. Says `dead` only when that is certain:
 * a stopped or slow process, and one about which nothing can be learned, is `running`.
 */
export async function judge(
  other: ProcessIdentity,
  self: ProcessIdentity,
  system: ProcessSystem = thisSystem,
): Promise<Verdict> {
  if (other.machineId !== self.machineId) return 'elsewhere';
  if (other.bootId !== null && self.bootId !== null && other.bootId !== self.bootId) {
    // Linux machines made from one image can share a machine id, and a network folder as well.
    return system.platform === 'linux' && other.host !== self.host ? 'elsewhere' : 'dead';
  }
  if (other.pidNamespace !== self.pidNamespace) return 'elsewhere';
  if (!system.exists(other.pid)) return 'dead';

  const now = await observe(other.pid, system);
  if (now.ended) return 'dead';
  if (now.startTime === null || other.startTime === null) return 'running';
  if (system.platform !== 'win32') return now.startTime === other.startTime ? 'running' : 'dead';
  // Whoever uses the pid again started after the other's end. Only that way round: clocks are set back at times.
  return Number(now.startTime) > Number(other.startTime) + START_SLACK_MS ? 'dead' : 'running';
}

interface Observation {
  readonly startTime: string | null;
  /** The process is over and only its entry in the table is left. */
  readonly ended: boolean;
}

async function observe(pid: number, system: ProcessSystem): Promise<Observation> {
  switch (system.platform) {
    case 'darwin': {
      const line = filled(await system.run('/bin/ps', ['-o', 'stat=,lstart=', '-p', String(pid)]));
      const [, state = '', startTime = null] = /^(\S+)\s+(.+)$/.exec(line ?? '') ?? [];
      return { startTime, ended: state.startsWith('Z') };
    }
    case 'win32': {
      const script =
        `[long]((Get-Process -Id ${pid} -ErrorAction Stop).StartTime.ToUniversalTime()` +
        ` - [datetime]'1970-01-01').TotalMilliseconds`;
      const shell = `${system.systemRoot}\\System32\\WindowsPowerShell\\v1.0\\powershell.exe`;
      const printed = filled(await system.run(shell, ['-NoProfile', '-NonInteractive', '-Command', script]));
      return { startTime: /^\d+$/.exec(printed ?? '')?.[0] ?? null, ended: false };
    }
    default:
      return readStat(system.text(`/proc/${pid}/stat`));
  }
}

/** See proc_pid_stat(5). The second field is a file name in brackets and may hold blanks and brackets itself. */
function readStat(stat: string | null): Observation {
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
  const [state, threads, startTime] = [fields[0], fields[17], fields[19]];
  // The entry of a killed process can be a zombie while another of its threads still finishes a write.
  const ended = state === 'X' || state === 'x' || (state === 'Z' && Number(threads) <= 1);
  return { startTime: filled(startTime ?? null), ended };
}

function filled(text: string | null): string | null {
  return text?.trim() || null;
}

/** The machine this runs on. Programs are named by full path, never looked up in the working directory. */
export const thisSystem: ProcessSystem = {
  platform: process.platform,
  pid: process.pid,
  startedAt: performance.timeOrigin,
  systemRoot: process.env['SystemRoot'] ?? 'C:\\Windows',
  hostname,
  text: (path) => attempt(() => readFileSync(path, 'utf8')),
  link: (path) => attempt(() => readlinkSync(path)),
  run: (program, args) =>
    new Promise((resolve) => {
      // Times are printed for a locale and a zone: they must not depend on who asks.
      const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
      execFile(program, args, { env, timeout: RUN_TIMEOUT_MS, windowsHide: true }, (error, stdout) => {
        resolve(error === null ? stdout : null);
      });
    }),
  exists: processExists,
};

function attempt<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    // Absent or forbidden: identity says null.
    return null;
  }
}
