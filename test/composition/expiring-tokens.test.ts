import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ExpiringTokens } from '../../src/composition/expiring-tokens.js';
import { tokenActor } from '../../src/domain/index.js';

it('A token is named once when it has 14 days left, and once when it has expired', () => {
  const said: unknown[] = [];
  let now = new Date('2027-06-15T23:59:59Z');
  const tokens = {
    holders: () => [
      tokenActor('lasting'),
      tokenActor('ci', { expiresAt: new Date('2027-06-30T00:00:00Z') }),
      tokenActor('later', { expiresAt: new Date('2028-06-30T00:00:00Z') }),
    ],
  };
  const expiring = new ExpiringTokens(
    tokens,
    (fields, message) => said.push([message, fields]),
    () => now,
  );
  try {
    assert.deepEqual([said, expiring.counts], [[], { soon: 0, expired: 0 }]);
    const fields = { token: 'ci', expires: '2027-06-30T00:00:00.000Z' };
    for (const [time, expected, counts] of [
      ['2027-06-16T00:00:00Z', [['a token expires soon', fields]], { soon: 1, expired: 0 }],
      ['2027-06-29T23:59:59Z', [], { soon: 1, expired: 0 }],
      ['2027-06-30T00:00:00Z', [['a token has expired', fields]], { soon: 0, expired: 1 }],
      ['2027-07-30T00:00:00Z', [], { soon: 0, expired: 1 }],
    ] as const) {
      now = new Date(time);
      expiring.look();
      assert.deepEqual([said.splice(0), expiring.counts], [expected, counts], time);
    }
  } finally {
    expiring.close();
  }
});
