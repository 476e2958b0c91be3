import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Serial } from '../../src/application/index.js';

describe('Work that is queued by key', () => {
  it('is done one after the other for one key, also after a failure, and returns its own result', async () => {
    const serial = new Serial();
    const steps: string[] = [];
    const work = (name: string) => async () => {
      steps.push(`${name} begins`);
      await new Promise(setImmediate);
      steps.push(`${name} ends`);
      if (name === 'first') throw new Error(name);
      return name;
    };
    const results = await Promise.allSettled([
      serial.run('a', work('first')),
      serial.run('a', work('second')),
      serial.run('a', work('third')),
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
    const serial = new Serial((name) => name.toLowerCase());
    const steps: string[] = [];
    const work = (name: string) => async () => {
      steps.push(name);
      await new Promise(setImmediate);
      steps.push(name);
    };
    await Promise.all(['a', 'A', 'b'].map((name) => serial.run(name, work(name))));
    assert.deepEqual(steps, ['a', 'b', 'a', 'A', 'b', 'A']);
  });
});
