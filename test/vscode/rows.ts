import type { SharedWorkbench } from './harness/suite.js';
import { rows } from './harness/views.js';
import { until } from './harness/waiting.js';

/** What a view shows, by the labels of its rows, and waiting for that. */
export function rowsOf(shared: SharedWorkbench, view: string) {
  const labels = async () => (await rows(shared.window, view)).map(({ label }) => label);
  return {
    labels,
    shows: (label: string) => until(`${label} is a row`, async () => (await labels()).includes(label)),
    hides: (label: string) => until(`${label} is no row`, async () => !(await labels()).includes(label)),
  };
}
