import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FailureNotice } from '../../src/extension/failureNotice.js';

/** What is shown, and closing the message that is open. */
function someEditor() {
  const shown: string[] = [];
  const open: (() => void)[] = [];
  const notice = new FailureNotice(({ message }) => {
    shown.push(message);
    return new Promise<void>((resolve) => open.push(resolve));
  });
  return {
    shown,
    notice,
    fails: (words: string) => notice.failed(new Error(words)),
    close: async (message = open.length - 1) => {
      open[message]?.();
      await new Promise(setImmediate);
    },
  };
}

describe('a failure', () => {
  it('is not said again while it is shown, and is when it comes again later', async () => {
    const { shown, fails, close } = someEditor();
    fails('no file a');
    fails('no file a');
    assert.deepEqual(shown, ['no file a']);
    await close();
    assert.deepEqual(shown, ['no file a']);
    fails('no file a');
    assert.deepEqual(shown, ['no file a', 'no file a']);
  });

  it('that followed others while one was shown is said when that is closed, and they are not', async () => {
    const { shown, fails, close } = someEditor();
    for (const words of ['no file a', 'no file ab', 'no file abc']) fails(words);
    assert.deepEqual(shown, ['no file a']);
    await close();
    assert.deepEqual(shown, ['no file a', 'no file abc']);
    await close();
    assert.deepEqual(shown, ['no file a', 'no file abc']);
  });

  it('is not said once it works again', async () => {
    const { shown, fails, close, notice } = someEditor();
    fails('no file a');
    fails('no file ab');
    notice.worksAgain();
    await close();
    assert.deepEqual(shown, ['no file a']);
  });

  it('after it had worked again is said at once, though an old message was never closed', async () => {
    const { shown, fails, close, notice } = someEditor();
    fails('no file a');
    notice.worksAgain();
    fails('no file b');
    assert.deepEqual(shown, ['no file a', 'no file b']);
    await close(0);
    fails('no file c');
    assert.deepEqual(shown, ['no file a', 'no file b']);
    await close(1);
    assert.deepEqual(shown, ['no file a', 'no file b', 'no file c']);
  });
});
