import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Files and sockets a process has open; 0 where the system does not tell. */
export function openFiles(pid: number): number {
  return process.platform === 'linux' ? readdirSync(`/proc/${pid}/fd`).length : 0;
}

/** Resident memory in MiB. */
export function residentMemory(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
}

/** The most resident memory a process ever had, in MiB; where the system does not tell, what it has now. */
export function peakMemory(pid: number): number {
  if (process.platform !== 'linux') return residentMemory(pid);
  // https://man7.org/linux/man-pages/man5/proc_pid_status.5.html
  return Number(/^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
