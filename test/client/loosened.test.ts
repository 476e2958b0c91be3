import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as z from 'zod';
import { loosened } from '../../src/adapters/cli/client/answers.js';

const schema = loosened(
  z.object({
    versions: z.array(
      z.strictObject({
        reason: z.enum(['deleted']).optional(),
        at: z.iso.datetime().optional(),
        count: z.int().min(1).optional(),
      }),
    ),
  }),
);

describe('A schema of the API, as loosened for the client', () => {
  it('keeps unknown fields, in lists as well', () => {
    const newer = { more: 1, versions: [{ count: 1, more: { a: 'b' } }] };
    assert.deepEqual(schema.parse(newer), newer);
  });

  it('accepts unknown values of the same type', () => {
    const other = { versions: [{ reason: 'archived', at: '2026-01-01', count: 0 }] };
    assert.deepEqual(schema.parse(other), other);
  });

  it('refuses values of other types, and responses that lack a field', () => {
    assert.equal(schema.safeParse({ versions: [{ reason: 1 }] }).success, false);
    assert.equal(schema.safeParse({ versions: [{ count: '1' }] }).success, false);
    assert.equal(schema.safeParse({}).success, false);
  });
});
