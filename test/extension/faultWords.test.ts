import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import ts from 'typescript';
import { nodesOf, sources } from './sources.js';

describe('the words for a document that cannot be saved', () => {
  it('say, each of them, that nothing was saved', () => {
    const file = sources.find(({ fileName }) => fileName === 'documents/faultWords.ts');
    assert.ok(file);
    const sentences = nodesOf(file, ts.isCallExpression).map(
      ({ arguments: [words] }) => words?.getText() ?? '',
    );
    assert.ok(sentences.length > 10, 'the scan finds them');
    assert.deepEqual(
      sentences.filter((words) => !words.includes('Nothing was saved')),
      [],
    );
  });
});
