import assert from 'node:assert/strict';
import { test } from 'node:test';
import { turnIn } from '../../src/capture/turn.js';
import { newestFirst, Transcript } from './transcriptBuilder.js';

const turn = (transcript: Transcript) => turnIn(newestFirst(transcript), {});

/** Question and answer of the turn that is found. */
function pair(transcript: Transcript): [string, string] | null {
  const found = turn(transcript);
  return found === null ? null : [found.task, found.outcome];
}

const answered = () => new Transcript().prompt('First question').answer('First answer').ending();
const FIRST: [string, string] = ['First question', 'First answer'];

test('a branch that was taken back does not count', () => {
  const transcript = answered();
  const fork = transcript.uuid;
  transcript.prompt('Taken back').answer('Given in vain').ending();
  assert.deepEqual(pair(transcript), ['Taken back', 'Given in vain']);
  transcript.backTo(fork).prompt('Asked instead');
  assert.deepEqual(pair(transcript), FIRST);
  assert.deepEqual(pair(transcript.answer('Answered')), ['Asked instead', 'Answered']);
});

test('a first question that was taken back leaves nothing before it', () => {
  assert.equal(pair(answered().backTo(null).prompt('Asked instead')), null);
});

test('an answer that came after the history was compacted belongs to the question before', () => {
  const transcript = new Transcript()
    .prompt('A long task')
    .message([{ type: 'tool_use' }])
    .toolResult();
  const last = transcript.uuid;
  transcript
    .backTo(null)
    .system('compact_boundary', { logicalParentUuid: last })
    .userLine('Summary so far', { isCompactSummary: true, isVisibleInTranscriptOnly: true })
    .answer('All done.');
  assert.deepEqual(pair(transcript), ['A long task', 'All done.']);
});

test('lines of subagents are no end of the conversation, and alone they are none', () => {
  const aside = { isSidechain: true };
  const transcript = answered().backTo(null).userLine('sub-task', aside);
  transcript.linked({ type: 'assistant', ...aside, message: { content: 'sub-answer' } });
  assert.deepEqual(pair(transcript), FIRST);

  const alone = new Transcript().prompt('sub-task', aside);
  alone.linked({ type: 'assistant', ...aside, message: { content: 'sub-answer' } });
  assert.equal(pair(alone), null);
});

test('where a parent was never written, the lines before are taken in their order', () => {
  const transcript = answered().prompt('Second question').backTo('never-written').answer('Second answer');
  assert.deepEqual(pair(transcript), ['Second question', 'Second answer']);
  assert.deepEqual(pair(transcript.backTo('lost').prompt('Third question')), [
    'Second question',
    'Second answer',
  ]);
});

test('a branch that was taken back does not count either where a parent was never written', () => {
  const transcript = answered().backTo('never-written').system('turn_duration');
  const fork = transcript.uuid;
  transcript.prompt('Taken back').answer('Given in vain').backTo(fork).prompt('Asked instead');
  assert.deepEqual(pair(transcript), FIRST);
});

test('a transcript without ids is taken in its order', () => {
  const said = (type: string, content: unknown) => JSON.stringify({ type, message: { content } });
  const transcript = new Transcript()
    .raw(said('user', 'Q1'))
    .raw(said('assistant', 'A1'))
    .raw(said('user', 'Q2'))
    .raw(said('assistant', [{ type: 'text', text: 'A2' }]))
    .raw(said('user', [{ type: 'tool_result', content: 'x' }]))
    .raw(said('user', 'Q3'));
  assert.deepEqual(turn(transcript), {
    turnId: null,
    sessionId: null,
    task: 'Q2',
    outcome: 'A2',
    final: false,
  });
  const aside = JSON.stringify({ type: 'assistant', isSidechain: true, message: { content: 'aside' } });
  assert.deepEqual(pair(transcript.raw(said('assistant', 'A3')).raw(aside)), ['Q3', 'A3']);
});

test('the order of the fields and the spaces between them make no difference', () => {
  const transcript = answered()
    .prompt('Second question')
    .filling()
    .message([{ type: 'tool_use' }])
    .toolResult('a "quoted" result')
    .queued('Third question')
    .answer('Third answer');
  const written = transcript.lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const spaced = written.map((fields) => JSON.stringify(fields).replaceAll('":', '": '));
  const turned = written.map((fields) =>
    JSON.stringify(Object.fromEntries(Object.entries(fields).reverse())),
  );
  const expected = turn(transcript);
  assert.deepEqual(
    [expected?.task, expected?.outcome],
    ['Second question\n\nThird question', 'Third answer'],
  );
  for (const lines of [spaced, turned]) {
    const found = turnIn(lines.map((line) => Buffer.from(line)).reverse(), {});
    assert.deepEqual(found, expected);
  }
});

test('a line that names the id looked for in another field is not the one', () => {
  const transcript = new Transcript().prompt('Question');
  const { uuid } = transcript;
  transcript
    .backTo(null)
    .attachment({ type: 'hook_success', of: uuid })
    .toolResult('x', { sourceToolAssistantUUID: uuid, uuid: `${String(uuid)}0` })
    .loose({ type: 'last-prompt', leafUuid: uuid })
    .backTo(uuid)
    .answer('Answer');
  assert.deepEqual(pair(transcript), ['Question', 'Answer']);
});
