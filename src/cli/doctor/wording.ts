import { counted } from '../../capture/briefText.js';

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** How long a moment is past, in the largest unit; both in seconds since 1970. */
export function ago(moment: number, now: number): string {
  const seconds = Math.max(0, now - moment);
  const [unit, length] = UNITS.find(([, least]) => seconds >= least) ?? ['second', 1];
  return seconds < 1 ? 'just now' : `${counted(Math.floor(seconds / length), unit)} ago`;
}

/** `a, b and c`. */
export function listed(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`;
}
