import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { expiresSoon, parseExpiry, TokenPolicy } from '../../src/domain/index.js';

describe('The end of a token', () => {
  for (const [text, end] of [
    ['2027-06-30', '2027-07-01T00:00:00.000Z'],
    ['2027-12-31', '2028-01-01T00:00:00.000Z'],
    ['2028-02-29', '2028-03-01T00:00:00.000Z'],
    ['2027-06-30T12:00:00Z', '2027-06-30T12:00:00.000Z'],
    ['2027-06-30T12:00:00.5Z', '2027-06-30T12:00:00.500Z'],
    ['2027-06-30T00:30:00+02:00', '2027-06-29T22:30:00.000Z'],
  ] as const) {
    it(`is ${end} for ${text}`, () => {
      assert.equal(parseExpiry(text)?.toISOString(), end);
    });
  }

  for (const text of [
    '',
    '2027',
    '2027-06',
    '2027-6-30',
    '2027-02-30',
    '2027-02-29',
    '2027-13-01',
    '2027-06-30T12:00:00',
    '2027-02-30T12:00:00Z',
    '2027-06-30T25:00:00Z',
    '2027-06-30 12:00:00Z',
    ' 2027-06-30',
    '2027-06-30\n',
    '14d',
    'never',
  ]) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      assert.equal(parseExpiry(text), undefined);
    });
  }

  it('applies from its exact moment', () => {
    const end = new Date('2027-07-01T00:00:00Z');
    const policy = new TokenPolicy('ci', { expiresAt: end });
    assert.equal(policy.whyNotAtAll(new Date(end.getTime() - 1)), undefined);
    for (const now of [end, new Date(end.getTime() + 1)]) {
      const refusal = policy.whyNotAtAll(now);
      assert.equal(refusal?.code, 'authentication_required');
      assert.match(refusal?.message ?? '', /'ci' has expired, on 2027-07-01/);
    }
    assert.equal(new TokenPolicy('ci').whyNotAtAll(new Date(8.64e15)), undefined);
  });

  it('is near from 14 days before', () => {
    const end = new Date('2027-07-15T00:00:00Z');
    assert.equal(expiresSoon(end, new Date('2027-06-30T23:59:59.999Z')), false);
    assert.equal(expiresSoon(end, new Date('2027-07-01T00:00:00Z')), true);
    assert.equal(expiresSoon(end, new Date('2027-08-01T00:00:00Z')), true);
    assert.equal(expiresSoon(undefined, end), false);
  });
});
