const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365 * 24 * 3600],
  ['month', 30 * 24 * 3600],
  ['week', 7 * 24 * 3600],
  ['day', 24 * 3600],
  ['hour', 3600],
  ['minute', 60],
];

/** How long ago that was, or how long it will be, e.g. "3 days ago"; both in epoch seconds. */
export function ageOf(time: number, now: number, language: string): string {
  const past = now - time;
  const unit = UNITS.find(([, seconds]) => Math.abs(past) >= seconds);
  // Not "yesterday" for a day: 30 hours may reach back to the day before.
  const format = new Intl.RelativeTimeFormat(language, { numeric: unit ? 'always' : 'auto', style: 'short' });
  return unit ? format.format(-Math.trunc(past / unit[1]), unit[0]) : format.format(0, 'second');
}

/** The starts of today, yesterday, this week and this month, newest first and each once, in epoch seconds. */
export function timeGroups(now: Date): number[] {
  const day = (back: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - back);
  const starts = [day(0), day(1), day(7), day(30)];
  return starts.map((start) => start.getTime() / 1000);
}
