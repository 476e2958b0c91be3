import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  type Claims,
  hasTooManyGroups,
  type PeopleIssuer,
  personOf,
  whyNoAccessToken,
} from '../../src/domain/index.js';

const RESOURCE = 'https://docs.example.org/-/mcp/private';
const entry = (more: Partial<PeopleIssuer> = {}): PeopleIssuer => ({
  name: 'company',
  issuer: 'https://login.example.org',
  audience: [RESOURCE],
  user: 'email',
  groups: 'groups',
  scopes: [],
  require: new Map([['email_verified', true]]),
  ...more,
});
const claims = (more: object = {}): Claims => ({
  aud: RESOURCE,
  email: 'ann@example.org',
  email_verified: true,
  iat: 1_800_000_000,
  exp: 1_800_003_600,
  ...more,
});

describe('The person of an access token', () => {
  it('has the name and the groups of the claims', () => {
    const person = personOf([entry()], claims({ groups: ['staff', 'a,b', ' c '] }));
    assert.deepEqual(person, { kind: 'person', name: 'ann@example.org', groups: ['staff', 'a,b', ' c '] });
    assert.deepEqual(personOf([entry()], claims()).groups, []);
    assert.deepEqual(personOf([entry({ groups: undefined })], claims({ groups: 7 })).groups, []);
  });

  it('has any name of up to 300 characters without control characters', () => {
    const name = fc.string({ unit: 'binary', minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(name, (email) => {
        const isPlain = email.length <= 300 && !/\p{Cc}/u.test(email);
        if (isPlain) assert.equal(personOf([entry()], claims({ email })).name, email);
        else assert.throws(() => personOf([entry()], claims({ email })), { code: 'person_not_accepted' });
      }),
    );
  });

  it('comes from the first entry that matches the token', () => {
    const staff = entry({ user: 'sub', require: new Map([['scope', 'docs:read']]) });
    const entries = [staff, entry()];
    assert.equal(personOf(entries, claims({ sub: '7', scope: 'openid docs:read' })).name, '7');
    assert.equal(personOf(entries, claims({ sub: '7', scope: 'openid' })).name, 'ann@example.org');
    const other = entry({ audience: ['other'], user: 'sub' });
    assert.equal(personOf([entry(), other], claims({ aud: ['x', 'other'], sub: '7' })).name, '7');
  });

  for (const [what, require, more, isMet] of [
    ['a word of `scope`', { scope: 'docs:read' }, { scope: 'a docs:read b' }, true],
    ['a part of a word of `scope`', { scope: 'docs' }, { scope: 'docs:read' }, false],
    ['an element of `scp`', { scp: 'docs:read' }, { scp: ['a', 'docs:read'] }, true],
    ['a word of `scp`', { scp: 'docs:read' }, { scp: 'docs:read a' }, true],
    ['an element of a list', { roles: 'reader' }, { roles: ['writer', 'reader'] }, true],
    ['a word of another claim', { roles: 'reader' }, { roles: 'writer reader' }, false],
    ['a number', { level: 2 }, { level: 2 }, true],
    ['a truth value as text', { email_verified: true }, { email_verified: 'true' }, true],
    ['the other truth value', { email_verified: true }, { email_verified: false }, false],
    ['an object', { email_verified: true }, { email_verified: {} }, false],
    ['a claim of every object', { constructor: 'x' }, {}, false],
    ['a claim that is missing', { tid: 'x' }, {}, false],
  ] as const) {
    it(`is ${isMet ? '' : 'not '}accepted where the required value is ${what}`, () => {
      const asked = () =>
        personOf([entry({ require: new Map(Object.entries(require)) })], claims(more as object));
      if (isMet) assert.equal(asked().name, 'ann@example.org');
      else assert.throws(asked, { code: 'person_not_accepted', message: /must be or contain/ });
    });
  }

  for (const [what, more] of [
    ['no name', { email: undefined }],
    ['an empty name', { email: '' }],
    ['a list of names', { email: ['ann@example.org'] }],
    ['a number as a name', { email: 7 }],
    ['a line feed in the name', { email: 'bob\npayments' }],
    ['a control character of Latin-1 in the name', { email: 'bob\u0085payments' }],
    ['a text in place of groups', { groups: 'staff,payments' }],
    ['a number among the groups', { groups: ['staff', 7] }],
    ['a line feed in a group', { groups: ['staff\npayments'] }],
    ['a control character of Latin-1 in a group', { groups: ['staff\u009fpayments'] }],
    ['another audience', { aud: 'other' }],
  ] as const) {
    it(`is not accepted with ${what}`, () => {
      assert.throws(() => personOf([entry()], claims(more)), { code: 'person_not_accepted' });
    });
  }

  it('is refused for too many groups when the issuer replaces the claim by a reference', () => {
    assert.equal(hasTooManyGroups(entry(), claims({ hasgroups: 'true' })), true);
    assert.equal(hasTooManyGroups(entry(), claims({ _claim_names: { groups: 'src1' } })), true);
    assert.equal(hasTooManyGroups(entry(), claims({ _claim_names: { photo: 'src1' } })), false);
    assert.equal(hasTooManyGroups(entry(), claims({ hasgroups: 'true', groups: [] })), false);
    assert.equal(hasTooManyGroups(entry({ groups: undefined }), claims({ hasgroups: 'true' })), false);
    assert.equal(hasTooManyGroups(entry(), claims()), false);
  });
});

describe('An access token', () => {
  for (const type of [undefined, 'JWT', 'jwt', 'at+jwt', 'application/at+jwt']) {
    it(`may have the type ${type}`, () => {
      assert.equal(whyNoAccessToken({ type, claims: claims({ typ: 'Bearer' }) }), undefined);
    });
  }

  for (const [what, type, more] of [
    ['another type', 'logout+jwt', {}],
    ['an ID token of Keycloak', 'JWT', { typ: 'ID' }],
    ['a refresh token of Keycloak', 'JWT', { typ: 'Refresh' }],
    ['an offline token of Keycloak', 'JWT', { typ: 'Offline' }],
    ['a logout token of Keycloak', 'JWT', { typ: 'Logout' }],
    ['the hash of an access token', 'JWT', { at_hash: 'x' }],
    ['no issue time', 'JWT', { iat: undefined }],
    ['a lifetime of more than a day', 'JWT', { exp: 1_800_000_000 + 86_401 }],
  ] as const) {
    it(`is refused: ${what}`, () => {
      assert.match(String(whyNoAccessToken({ type, claims: claims(more) })), /^it/);
    });
  }
});
