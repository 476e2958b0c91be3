import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { Refusal, refuse } from '../../src/domain/index.js';
import { outcomeOf, resultOf } from '../../src/node/background/job.js';

/** Returns or throws what the receiver of the outcome does: `structuredClone` copies it as a message to a thread does. */
const sent = async (work: () => unknown) => resultOf(structuredClone(await outcomeOf(work)));

describe('The outcome of work, sent as a message,', () => {
  it('is its result, also when undefined', async () => {
    assert.deepEqual(await sent(() => ({ a: [1] })), { a: [1] });
    assert.equal(await sent(() => {}), undefined);
  });

  it('is the refusal, with all its fields', async () => {
    const refusal = refuse.archiveTooLarge({ setting: 'files', limit: 1, met: 2, unit: 'files' });
    await assert.rejects(
      sent(() => Promise.reject(refusal)),
      (error) => {
        assert.ok(error instanceof Refusal);
        const { code, message, facts, setting } = error;
        assert.deepEqual(
          [code, message, facts, setting],
          [refusal.code, refusal.message, refusal.facts, refusal.setting],
        );
        return true;
      },
    );
  });

  it("is the system's error, with its fields", async () => {
    const missing = '/nowhere/at-all';
    await assert.rejects(
      sent(() => readFile(missing)),
      {
        code: 'ENOENT',
        syscall: 'open',
        path: missing,
        errno: -2,
        message: /no such file/,
      },
    );
  });

  it('is an Error, whatever was thrown', async () => {
    await assert.rejects(
      sent(() => Promise.reject('only text')),
      { name: 'Error', message: 'only text' },
    );
  });
});
