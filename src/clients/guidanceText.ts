export const BEGIN = '<!-- subconscious:begin -->';
export const END = '<!-- subconscious:end -->';

/** When the skill is of use: what an agent sees of it beforehand. */
const DESCRIPTION =
  'Long-term memory across sessions. Use before any task that takes more than a moment, to find out whether it was ' +
  'done before, and after it, to keep what was learned.';

/** For agents, between the two marks. */
const LINES = [
  BEGIN,
  '## Memory (Subconscious)',
  '',
  'The tools of the `subconscious` server remember what was learned in earlier sessions.',
  '',
  '- Before work that takes more than a moment, call `recall` with the task in one sentence.',
  '- A hit with a similarity of 0.88 or more: look whether it still fits what is here, then reuse it.',
  '- A hit below 0.88: a lead, not an answer. Verify it before you use it.',
  '- A miss whose best match is above 0.7: call `echo` with the same sentence and read what is near. Do not merely ' +
    'recall again with a lower threshold.',
  '- A miss whose best match is 0.7 or less: nothing is known. Work as usual.',
  '- A question of judgement or interpretation (what somebody meant, which design is better, a review): never trust ' +
    'even a high hit. Words that look alike can ask for different answers.',
  '- Afterwards call `remember` for what will be of use again: the task in one sentence, what was found, a few tags. ' +
    'Never secrets, and nothing that is true only today.',
  '- When `remember` answers with `near_duplicate`, look at that memory. Does it say the same: `forget` it and ' +
    'remember one text that holds both. Is it something else: go on.',
  '- Now and then call `drift_report`, and correct the memories that are used for questions they do not answer.',
  END,
] as const;

/** The marked block, with this line break and none at its end. */
export function guidanceBlock(eol: string): string {
  return LINES.join(eol);
}

/** The whole file of a skill. */
export function skillText(): string {
  return `---\nname: subconscious\ndescription: ${DESCRIPTION}\n---\n\n${guidanceBlock('\n')}\n`;
}
