import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import type { JWTPayload } from 'jose';
import { IssuedPeople } from '../../src/adapters/issuers/issued-people.js';
import type { PeopleIssuer } from '../../src/domain/index.js';
import { KEYS, makeKey, TestIssuer, unsigned } from '../support/issuer.js';
import { skipUnless, succeeds } from '../support/needs.js';

const NEEDS = skipUnless(await succeeds('openssl', 'version'), 'openssl is not installed');
const RESOURCE = 'https://docs.example.org/-/mcp/private';

describe('The registry of people by access tokens', NEEDS, () => {
  let directory: string;
  let issuer: TestIssuer;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lectern-people-'));
    issuer = await TestIssuer.start(directory);
  });
  after(async () => {
    await issuer.close();
    await rm(directory, { recursive: true });
  });
  afterEach(() => {
    issuer.instead.clear();
    issuer.published = [issuer.key.published];
    issuer.requests.length = 0;
  });

  const entry = (more: Partial<PeopleIssuer> = {}): PeopleIssuer => ({
    name: 'company',
    issuer: issuer.url,
    audience: [RESOURCE],
    user: 'sub',
    groups: 'groups',
    scopes: [],
    require: new Map(),
    ...more,
  });
  const claims = (more: object = {}): JWTPayload => ({
    ...issuer.claims(RESOURCE),
    sub: 'ann',
    groups: ['staff'],
    ...more,
  });
  const peopleOf = (peopleIssuers: readonly PeopleIssuer[] = [entry()]) => {
    const reports: object[] = [];
    const known = { peopleIssuers };
    const people = new IssuedPeople(known, {
      ca: issuer.certificate.pem,
      report: (_message, fields) => reports.push(fields),
    });
    return { known, reports, ask: (token: string, now = new Date()) => people.personOf(token, now) };
  };

  it('names the person for whom the issuer signed the token', async () => {
    const person = await peopleOf().ask(await issuer.sign(claims()));
    assert.deepEqual(person, { kind: 'person', name: 'ann', groups: ['staff'] });
  });

  it('ignores the token of another issuer, without a request', async () => {
    const { ask } = peopleOf();
    for (const token of ['', 'a.b.c', await issuer.sign(claims({ iss: 'https://evil.example' }))])
      assert.equal(await ask(token), undefined);
    assert.deepEqual(issuer.requests, []);
  });

  for (const [what, token] of [
    ['of another audience', () => issuer.sign(claims({ aud: 'https://docs.example.org' }))],
    ['without an audience', () => issuer.sign(claims({ aud: undefined }))],
    ['that has expired', () => issuer.sign(claims({ exp: 1_000_000_000 }))],
    ['without a signature', async () => unsigned(claims())],
    ['of a key that is not published', async () => issuer.sign(claims(), await makeKey('ES256'))],
    ['that is an ID token', () => issuer.sign(claims({ at_hash: 'x' }))],
    ['with another type', () => issuer.sign(claims(), issuer.key, { typ: 'logout+jwt' })],
    ['without a beginning', () => issuer.sign(claims({ iat: undefined }))],
  ] as const) {
    it(`refuses a token ${what}`, async () => {
      await assert.rejects(peopleOf().ask(await token()), { code: 'authentication_required' });
    });
  }

  it('refuses a signed-in person whom no entry accepts', async () => {
    const { ask } = peopleOf([entry({ require: new Map([['email_verified', true]]) })]);
    await assert.rejects(ask(await issuer.sign(claims())), { code: 'person_not_accepted' });
  });

  it("accepts an issuer's rotated keys", async () => {
    const rotated = await makeKey('RS256');
    issuer.published = [issuer.key.published, rotated.published];
    assert.equal((await peopleOf().ask(await issuer.sign(claims(), rotated)))?.name, 'ann');
  });

  it('cannot identify a person while the issuer is unreachable', async () => {
    issuer.instead.set(KEYS, (response) => response.destroy());
    await assert.rejects(peopleOf().ask(await issuer.sign(claims())), { code: 'unavailable' });
  });

  it('accepts a token repeatedly until its end, and follows the configured issuers', async () => {
    const { ask, known } = peopleOf();
    const token = await issuer.sign(claims());
    for (let time = 0; time < 3; time += 1) assert.equal((await ask(token))?.name, 'ann');
    known.peopleIssuers = [];
    assert.equal(await ask(token), undefined);
  });

  it('reports omitted groups once, and requests them nowhere', async () => {
    const { ask, reports } = peopleOf();
    const more = { groups: undefined, _claim_names: { groups: 'src1' } };
    const sources = { _claim_sources: { src1: { endpoint: `${issuer.url}/groups` } } };
    const token = await issuer.sign(claims({ ...more, ...sources }));
    for (let time = 0; time < 2; time += 1) assert.deepEqual((await ask(token))?.groups, []);
    assert.deepEqual(reports, [{ issuer: issuer.url }]);
    assert.ok(!issuer.requests.includes('/groups'));
  });
});
