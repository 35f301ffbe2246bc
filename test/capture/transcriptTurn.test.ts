import assert from 'node:assert/strict';
import { test } from 'node:test';
import { turnIn, type EndOfTurn } from '../../src/capture/turn.js';
import { newestFirst, SESSION, Transcript } from './transcriptBuilder.js';

const turn = (transcript: Transcript, end: EndOfTurn = {}) => turnIn(newestFirst(transcript), end);

/** Question and answer of the turn that is found. */
function pair(transcript: Transcript, end: EndOfTurn = {}): [string, string] | null {
  const found = turn(transcript, end);
  return found === null ? null : [found.task, found.outcome];
}

const answered = () => new Transcript().prompt('First question').answer('First answer').ending();
const FIRST: [string, string] = ['First question', 'First answer'];

test('the last question and answer are found, with the id of the prompt', () => {
  const transcript = answered().prompt('Second question').answer('Second answer').ending();
  assert.deepEqual(turn(transcript), {
    turnId: transcript.promptId,
    sessionId: SESSION,
    task: 'Second question',
    outcome: 'Second answer',
    final: true,
  });
});

test('a question without an answer does not displace the pair before', () => {
  assert.deepEqual(pair(answered().prompt('Second question')), FIRST);
  assert.deepEqual(
    pair(
      answered()
        .prompt('Second question')
        .message([{ type: 'thinking' }]),
    ),
    FIRST,
  );
  assert.equal(pair(new Transcript().prompt('Only question')), null);
  assert.equal(pair(new Transcript().answer('Only answer')), null);
  assert.equal(pair(new Transcript()), null);
});

test('the texts of the last message are joined in order, and what was said before it is left out', () => {
  const transcript = new Transcript()
    .prompt('Make it faster')
    .message([
      { type: 'text', text: 'Let me look.' },
      { type: 'tool_use', name: 'Bash' },
    ])
    .toolResult()
    .message(
      [
        { type: 'thinking', thinking: 'hm', text: 'hm' },
        { type: 'text', text: 'One reason.' },
        { type: 'tool_use', name: 'Bash', input: { text: 'ls' } },
        { type: 'text', text: '  ' },
        { type: 'text', text: 'Another reason.' },
      ],
      'end_turn',
    );
  assert.deepEqual(pair(transcript), ['Make it faster', 'One reason.\n\nAnother reason.']);
});

test('lines without a message id are messages of their own', () => {
  const transcript = new Transcript()
    .prompt('Q')
    .answer('before', { id: undefined })
    .answer('after', { id: undefined });
  assert.deepEqual(pair(transcript), ['Q', 'after']);
});

test('only an answer after which the model had nothing to do is final', () => {
  const cases: [string | null, boolean][] = [
    ['end_turn', true],
    ['stop_sequence', true],
    ['tool_use', false],
    ['max_tokens', false],
    [null, false],
  ];
  for (const [reason, final] of cases) {
    const transcript = new Transcript().prompt('Q').message([{ type: 'text', text: 'A' }], reason);
    assert.equal(turn(transcript)?.final, final, String(reason));
  }
});

test('lines that are no part of the conversation are passed over', () => {
  const transcript = new Transcript()
    .prompt('Why does it fail?')
    .attachment({ type: 'date', date: '2026-11-30', prompt: 'no prompt' })
    .message([{ type: 'tool_use', name: 'Bash' }])
    .toolResult('a result')
    .userLine([
      { type: 'tool_result', content: 'x' },
      { type: 'text', text: 'with the result' },
    ])
    .userLine('a note of the client', { isMeta: true })
    .userLine('a subagent', { isSidechain: true })
    .userLine('This session is continued', { isCompactSummary: true })
    .userLine('shown only', { isVisibleInTranscriptOnly: true })
    .userLine('<command-name>/model</command-name><command-args>x</command-args>')
    .userLine('<local-command-stdout>Set model</local-command-stdout>')
    .queued('<task-notification>done</task-notification>', { commandMode: 'task-notification' })
    .queued('a note of the client', { isMeta: true })
    .queued('ls -la', { commandMode: 'bash' })
    .answer('The port is taken.')
    .answer('A tool of the client', { model: '<synthetic>' })
    .linked({ type: 'assistant', isApiErrorMessage: true, message: { content: 'API Error: 529' } })
    .linked({ type: 'assistant', isSidechain: true, message: { content: 'a subagent' } })
    .linked({ type: 'assistant', isMeta: true, message: { content: 'a note' } })
    .linked({ type: 'progress', message: { role: 'user', content: 'working' } })
    .system('local_command', { content: '<command-name>/cost</command-name>', message: { content: 'x' } })
    .loose({ type: 'api-request-blob', message: { role: 'user', content: 'as sent' } })
    .loose({ type: 'summary', summary: 'a summary', leafUuid: 'none' });
  assert.deepEqual(pair(transcript), ['Why does it fail?', 'The port is taken.']);
});

test('a turn that was broken off does not count', () => {
  for (const what of ['', ' for tool use']) {
    const broken = answered().prompt('Second question').answer('Half an answer').interruption(what);
    assert.deepEqual(pair(broken), FIRST, 'the one before is taken');
    assert.deepEqual(pair(broken.prompt('Third question')), FIRST, 'still without an answer');
    assert.deepEqual(pair(broken.answer('Third answer')), ['Third question', 'Third answer']);
  }
  const byString = answered().prompt('Second').answer('Half').userLine('[Request interrupted by user]');
  assert.deepEqual(pair(byString), FIRST);
  const withResult = answered().prompt('Second').answer('Half');
  withResult.userLine([
    { type: 'tool_result', content: 'rejected' },
    { type: 'text', text: '[Request interrupted by user for tool use]' },
  ]);
  assert.deepEqual(pair(withResult), FIRST);
  assert.deepEqual(pair(withResult.prompt('Third question')), FIRST);
});

test('a question about an interruption is a question', () => {
  const words = '[Request interrupted by user] is shown, why?';
  assert.deepEqual(pair(new Transcript().prompt(words).answer('You pressed Esc.')), [
    words,
    'You pressed Esc.',
  ]);
});

test('a turn is of the session its question was asked in, where the lines name one', () => {
  const copied = new Transcript('parent').prompt('Q').answer('A');
  assert.equal(turn(copied)?.sessionId, 'parent');
  assert.equal(turn(copied, { lastMessage: 'A' })?.sessionId, 'parent');
  assert.equal(turn(new Transcript(null).prompt('Q').answer('A'))?.sessionId, null);
});

test('a prompt without an id of its own goes by the id of its line', () => {
  const transcript = new Transcript().prompt('Q', { promptId: undefined });
  const { uuid } = transcript;
  assert.equal(turn(transcript.answer('A'))?.turnId, uuid);
});

test('the text blocks of a prompt are joined, images and blank ones left out', () => {
  const transcript = new Transcript()
    .prompt([
      { type: 'text', text: '<ide_opened_file>a.ts</ide_opened_file>' },
      { type: 'text', text: 'What is wrong here?' },
      { type: 'image', source: { type: 'base64', data: 'aGk=' }, text: 'no text' },
      { type: 'text', text: ' ' },
      'no block',
      null,
      { type: 'text', text: 7 },
      { type: 'text', text: 'Look at the margin.' },
    ])
    .answer('It is negative.');
  assert.deepEqual(pair(transcript), ['What is wrong here?\n\nLook at the margin.', 'It is negative.']);
});

test('prompts that were sent in one go are one question', () => {
  const transcript = answered().prompt('Add a test').attachment({ type: 'date', date: '2026-11-30' });
  transcript.userLine('and run it').answer('Both done.');
  const expected = [transcript.promptId, 'Add a test\n\nand run it'];
  const found = turn(transcript);
  assert.deepEqual([found?.turnId, found?.task], expected);
  const { promptId } = transcript;
  assert.equal(turn(transcript, { promptId: promptId ?? '', lastMessage: 'x' })?.task, expected[1]);
});

test('a prompt that was not sent with the one before stands for itself', () => {
  const twice = new Transcript().prompt('Never mind').prompt('Fix the build').answer('Fixed.');
  assert.deepEqual(pair(twice), ['Fix the build', 'Fixed.']);
  const noIds = { promptId: undefined, uuid: undefined, parentUuid: undefined };
  const foreign = new Transcript().prompt('Never mind', noIds).prompt('Fix the build', noIds);
  const answer = { type: 'assistant', message: { content: 'Fixed.' } };
  assert.deepEqual(pair(foreign.loose(answer)), ['Fix the build', 'Fixed.']);
  const between = new Transcript()
    .prompt('Fix the build')
    .answer('How?')
    .userLine('Any way')
    .answer('Fixed.');
  assert.deepEqual(pair(between), ['Any way', 'Fixed.']);
});

test('what was said while the model worked is a question, of its own where the one before was answered', () => {
  for (const prompt of ['Use the other port', [{ type: 'text', text: 'Use the other port' }]]) {
    const transcript = new Transcript().prompt('Start the server').answer('It runs.').queued(prompt);
    const { uuid } = transcript;
    transcript.answer('Runs on 8081.');
    assert.deepEqual(pair(transcript), ['Use the other port', 'Runs on 8081.']);
    assert.equal(turn(transcript)?.turnId, uuid);
  }
});

test('the answer to a command is not taken for one to the question before', () => {
  const transcript = answered();
  const { promptId } = transcript;
  transcript
    .prompt('<command-message>review</command-message>\n<command-name>/review</command-name>')
    .userLine([{ type: 'text', text: 'Review the changes.' }], { isMeta: true })
    .answer('Two findings.');
  assert.deepEqual(pair(transcript), FIRST);
  assert.equal(turn(transcript)?.turnId, promptId);
  assert.equal(turn(transcript, { lastMessage: 'Two findings.' }), null);
});

test('the message a turn ended with is its answer, though the transcript is behind', () => {
  const transcript = answered().prompt('Second question');
  const promptId = transcript.promptId ?? '';
  const expected = {
    turnId: promptId,
    sessionId: SESSION,
    task: 'Second question',
    outcome: 'Second answer',
    final: true,
  };
  const end = { promptId, lastMessage: 'Second answer' };
  assert.deepEqual(turn(transcript, end), expected);
  assert.deepEqual(turn(transcript, { lastMessage: 'Second answer' }), expected);
  transcript.message([{ type: 'text', text: 'Let me look.' }, { type: 'tool_use' }]).toolResult();
  assert.deepEqual(turn(transcript, end), expected);
  assert.deepEqual(turn(transcript.answer('Second answer').ending(), end), expected);
});

test('a message is not paired with a question of another turn', () => {
  const end = { promptId: 'not-yet-written', lastMessage: 'Second answer' };
  assert.equal(turn(answered(), end), null);
  assert.equal(turn(answered().userLine('<bash-input>ls</bash-input>'), end), null);
  assert.equal(turn(new Transcript(), end), null);
  const old = new Transcript().prompt('Old question', { promptId: undefined }).answer('Old answer');
  assert.equal(turn(old.prompt('First question').answer('First answer'), end), null);
  const broken = new Transcript().prompt('Q').answer('Half').interruption();
  assert.equal(turn(broken, { lastMessage: 'Whole' }), null);
  assert.equal(turn(broken, { promptId: broken.promptId ?? '', lastMessage: 'Whole' }), null);
});

test('a message is paired with the question it answers, though the next was asked already', () => {
  const transcript = new Transcript().prompt('First question');
  const promptId = transcript.promptId ?? '';
  transcript.answer('First answer').prompt('Second question');
  const expected = {
    turnId: promptId,
    sessionId: SESSION,
    task: 'First question',
    outcome: 'In full',
    final: true,
  };
  assert.deepEqual(turn(transcript, { promptId, lastMessage: 'In full' }), expected);
});

test('what was added while the model was at work belongs to the question, and is no turn of its own', () => {
  const transcript = new Transcript().prompt('First question');
  const promptId = transcript.promptId ?? '';
  transcript.message([{ type: 'text', text: 'Let me look.' }, { type: 'tool_use' }]).toolResult();
  transcript.queued('And the docs').queued('And the tests');
  const task = 'First question\n\nAnd the docs\n\nAnd the tests';
  const ended = turn(transcript, { promptId, lastMessage: 'All done.' });
  assert.deepEqual([ended?.turnId, ended?.task, ended?.outcome], [promptId, task, 'All done.']);
  const later = turn(transcript.answer('All done.'));
  assert.deepEqual([later?.turnId, later?.task, later?.outcome], [promptId, task, 'All done.']);
});

test('a question without an id is paired with the message', () => {
  const queued = answered().queued('And the docs');
  assert.deepEqual(pair(queued, { promptId: 'any', lastMessage: 'Done.' }), ['And the docs', 'Done.']);
  const old = new Transcript().prompt('Q', { promptId: undefined });
  assert.deepEqual(pair(old, { promptId: 'any', lastMessage: 'A' }), ['Q', 'A']);
});

test('an empty message and an empty id are as good as none', () => {
  const transcript = answered().prompt('Second question');
  for (const lastMessage of ['', ' \n', undefined]) {
    assert.deepEqual(pair(transcript, { promptId: 'other', lastMessage }), FIRST);
  }
  assert.deepEqual(pair(transcript, { promptId: '', lastMessage: 'A' }), ['Second question', 'A']);
});

test('question and answer are neither cut nor changed', () => {
  const odd = 'a\u2028b \u0000 \ud83d\ude42 日本 \\u00e9 "q" ' + 'x'.repeat(20_000);
  const transcript = new Transcript().prompt(odd).answer(`  ${odd}\n`);
  assert.deepEqual(pair(transcript), [odd, `  ${odd}\n`]);
});
