import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { KeyedMutex } from '../../src/application/index.js';

describe('Work that is queued by key', () => {
  it('is done one after the other for one key, also after a failure, and returns its own result', async () => {
    const mutex = new KeyedMutex();
    const steps: string[] = [];
    const work = (name: string) => async () => {
      steps.push(`${name} begins`);
      await new Promise(setImmediate);
      steps.push(`${name} ends`);
      if (name === 'first') throw new Error(name);
      return name;
    };
    const results = await Promise.allSettled([
      mutex.run('a', work('first')),
      mutex.run('a', work('second')),
      mutex.run('a', work('third')),
    ]);
    assert.deepEqual(
      results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.message)),
      ['first', 'second', 'third'],
    );
    assert.deepEqual(
      steps,
      ['first', 'second', 'third'].flatMap((name) => [`${name} begins`, `${name} ends`]),
    );
  });

  it('is done at once for different keys, and for names of one key in turn', async () => {
    const mutex = new KeyedMutex((name) => name.toLowerCase());
    const steps: string[] = [];
    const work = (name: string) => async () => {
      steps.push(name);
      await new Promise(setImmediate);
      steps.push(name);
    };
    await Promise.all(['a', 'A', 'b'].map((name) => mutex.run(name, work(name))));
    assert.deepEqual(steps, ['a', 'b', 'a', 'A', 'b', 'A']);
  });
});
