import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import { ageOf, timeGroups } from '../../src/extension/views/age.js';

const NOW = 1_900_000_000;
const [MINUTE, HOUR, DAY] = [60, 3600, 24 * 3600];

function age(secondsAgo: number, language = 'en'): string {
  return ageOf(NOW - secondsAgo, NOW, language).replaceAll('\u00a0', ' ');
}

describe('an age', () => {
  for (const [seconds, words] of [
    [0, 'now'],
    [59, 'now'],
    [59.9, 'now'],
    [MINUTE, '1 min. ago'],
    [HOUR - 1, '59 min. ago'],
    [HOUR, '1 hr. ago'],
    [DAY - 1, '23 hr. ago'],
    [DAY, '1 day ago'],
    [47 * HOUR, '1 day ago'],
    [3 * DAY, '3 days ago'],
    [7 * DAY - 1, '6 days ago'],
    [7 * DAY, '1 wk. ago'],
    [30 * DAY - 1, '4 wk. ago'],
    [30 * DAY, '1 mo. ago'],
    [364 * DAY, '12 mo. ago'],
    [365 * DAY, '1 yr. ago'],
    [NOW, '60 yr. ago'],
    [-59, 'now'],
    [-MINUTE, 'in 1 min.'],
    [-2 * DAY, 'in 2 days'],
    [-365 * DAY, 'in 1 yr.'],
  ] as const) {
    it(`of ${seconds} seconds is "${words}"`, () => assert.equal(age(seconds), words));
  }

  it('is told in the language of the editor', () => {
    assert.deepEqual(
      [0, 3 * DAY, -3 * DAY].map((seconds) => age(seconds, 'de')),
      ['jetzt', 'vor 3 Tagen', 'in 3 Tagen'],
    );
    assert.deepEqual(
      [0, 3 * DAY, -3 * DAY].map((seconds) => age(seconds, 'ja').replaceAll(' ', '')),
      ['今', '3日前', '3日後'],
    );
  });

  it('is told in every language an editor may have', () => {
    for (const language of ['zh-cn', 'zh-tw', 'pt-br', 'pl', 'tr', 'qps-ploc']) {
      assert.notEqual(age(3 * DAY, language), '', language);
    }
  });

  it('names no day of the calendar: 30 hours ago may be the day before yesterday', () => {
    for (const seconds of [DAY, 30 * HOUR, 7 * DAY, 30 * DAY, 365 * DAY]) {
      assert.match(age(seconds), /^1 .+ ago$/);
      assert.match(age(seconds, 'de'), /^vor 1 /);
    }
  });
});

describe('the groups of time', () => {
  const zone = process.env['TZ'];
  after(() => {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  });

  /** The starts at a time of a place, as its clocks show them. */
  function startsAt(place: string, ...now: readonly [number, number, number, number, number]): string[] {
    process.env['TZ'] = place;
    const [year, month, ...rest] = now;
    return timeGroups(new Date(year, month - 1, ...rest)).map((start) => {
      const date = new Date(start * 1000);
      const two = (value: number) => String(value).padStart(2, '0');
      return `${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
    });
  }

  it('start at midnight of today, of yesterday, of a week ago and of thirty days ago', () => {
    const expected = ['07-20 00:00', '07-19 00:00', '07-13 00:00', '06-20 00:00'];
    for (const place of ['UTC', 'Europe/Berlin', 'Asia/Tokyo', 'America/Los_Angeles', 'Asia/Kathmandu']) {
      assert.deepEqual(startsAt(place, 2026, 7, 20, 15, 30), expected, place);
    }
  });

  it('are those of the day at its first and its last minute', () => {
    const expected = ['07-20 00:00', '07-19 00:00', '07-13 00:00', '06-20 00:00'];
    assert.deepEqual(startsAt('Asia/Tokyo', 2026, 7, 20, 0, 0), expected);
    assert.deepEqual(startsAt('Asia/Tokyo', 2026, 7, 20, 23, 59), expected);
  });

  it('cross months and years', () => {
    assert.deepEqual(startsAt('UTC', 2027, 1, 1, 12, 0), [
      '01-01 00:00',
      '12-31 00:00',
      '12-25 00:00',
      '12-02 00:00',
    ]);
    assert.deepEqual(startsAt('UTC', 2028, 3, 1, 12, 0)[1], '02-29 00:00');
  });

  it('start at midnight also where clocks were changed in between', () => {
    for (const [month, day] of [
      [3, 29],
      [3, 30],
      [10, 25],
      [10, 26],
    ] as const) {
      for (const start of startsAt('Europe/Berlin', 2026, month, day, 12, 0)) assert.match(start, / 00:00$/);
    }
    const [today, yesterday] = timeGroups(new Date(2026, 9, 26, 12));
    assert.equal(Number(today) - Number(yesterday), 25 * HOUR);
  });

  it('start with the first minute there is on a day without a midnight', () => {
    assert.deepEqual(startsAt('America/Sao_Paulo', 2018, 11, 4, 12, 0).slice(0, 2), [
      '11-04 01:00',
      '11-03 00:00',
    ]);
  });

  it('are whole seconds, newest first, each once and none in the future', () => {
    const anyTime = fc.date({
      min: new Date('1990-01-01'),
      max: new Date('2060-01-01'),
      noInvalidDate: true,
    });
    const places = fc.constantFrom(
      'UTC',
      'Europe/London',
      'America/Sao_Paulo',
      'Africa/Cairo',
      'Pacific/Apia',
    );
    fc.assert(
      fc.property(places, anyTime, (place, now) => {
        process.env['TZ'] = place;
        const starts = timeGroups(now);
        assert.ok(starts.every(Number.isInteger));
        assert.deepEqual(
          starts,
          [...new Set(starts)].sort((a, b) => b - a),
        );
        assert.ok(Number(starts[0]) * 1000 <= now.getTime());
      }),
    );
  });
});
