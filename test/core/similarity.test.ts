import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asking, openBench, PROJECT, rememberId } from './fixture.js';

/** Words of a script the English model does not know all become the same piece, and the texts one vector. */
const ALIKE = 1;

describe('similarity in a script the model does not read', () => {
  it('is no hit where the letters have nothing to do with each other, however near the vectors', async () => {
    const bench = await openBench();
    bench.embedder.place('สร้างไฟล์ใหม่', { ลบไฟล์เก่า: ALIKE });
    await rememberId(bench, 'ลบไฟล์เก่า');
    const result = await bench.engine.recall(asking('สร้างไฟล์ใหม่'));
    assert.deepEqual([result.hit, result.reason], [false, 'below_threshold']);
    const { echoes } = await bench.engine.echo({ task: 'สร้างไฟล์ใหม่', project: PROJECT, topK: 1 });
    assert.equal(echoes[0]?.similarity, result.similarity, 'recall and echo give the same number');
  });

  it('is the cosine where half of the letter pairs agree', async () => {
    const bench = await openBench();
    bench.embedder.place('把 npm 下载源切换到国内的镜像', { '把 npm 的下载源切换到国内镜像': 0.97 });
    const id = await rememberId(bench, '把 npm 的下载源切换到国内镜像');
    const result = await bench.engine.recall(asking('把 npm 下载源切换到国内的镜像'));
    assert.deepEqual([result.entry_id, result.similarity], [id, 0.97]);
  });

  it('finds the row that the words mean among many with the same vector', async () => {
    const bench = await openBench();
    const tasks = Array.from({ length: 80 }, (_, n) => `第${n}個目のサーバーを止める手順`);
    const wanted = '本番の請求書を印刷する方法を教えて';
    bench.embedder.place('本番の請求書を印刷する方法は', Object.fromEntries([[wanted, 0.99]]));
    const id = await rememberId(bench, wanted);
    for (const task of tasks) {
      bench.embedder.place(task, { [wanted]: 0.995 });
      await rememberId(bench, task);
    }
    assert.equal((await bench.engine.recall(asking('本番の請求書を印刷する方法は'))).entry_id, id);
  });

  it('does not touch texts that are mostly Latin, of any language', async () => {
    const bench = await openBench();
    bench.embedder.place('Wie prüfe ich das', { 'how to check this': 0.9 });
    await rememberId(bench, 'how to check this');
    assert.equal((await bench.engine.recall(asking('Wie prüfe ich das'))).similarity, 0.9);
  });
});
