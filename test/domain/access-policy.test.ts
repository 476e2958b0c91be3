import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  AccessPolicy,
  type AccessRules,
  ANYBODY,
  type Audience,
  Catalogue,
  NO_SETTINGS,
  NOBODY,
  type Principal,
  readerOnHostOf,
  serverActor,
  tokenActor,
  withAlias,
} from '../../src/domain/index.js';
import { makeVersion } from './make-version.js';

const NOW = new Date('2026-02-01T12:00:00Z');

const some = (people: readonly string[], groups: readonly string[] = []): Audience => ({
  people: new Set(people),
  groups: new Set(groups),
});
const person = (name: string, ...groups: readonly string[]): Principal => ({ kind: 'person', name, groups });
const policyOf = (projects: Readonly<Record<string, Audience>>, other: Audience = 'public', edition = '1') =>
  new AccessPolicy({ default: other, projects: new Map(Object.entries(projects)) }, edition);

const POLICY = policyOf({
  'payments-*': some(['ann'], ['payments']),
  'payments-public-*': 'public',
  'payments-public-keys': some([], ['security']),
  handbook: 'signed-in',
  vault: some([]),
});
const PROJECTS = ['blog', 'handbook', 'payments-api', 'payments-public-api', 'payments-public-keys', 'vault'];

const readableTo = (principal: Principal, policy = POLICY) =>
  PROJECTS.filter((project) => policy.readerOf(principal).maySee(project));

describe('An access policy', () => {
  const team = tokenActor('team', { projects: ['payments-*'], read: ['vault'] });
  const rows: readonly (readonly [who: string, Principal, readable: readonly string[]])[] = [
    ['nobody', NOBODY, ['blog', 'payments-public-api']],
    ['a signed-in person', person('bob'), ['blog', 'handbook', 'payments-public-api']],
    [
      'a person whom a rule names',
      person('ann'),
      ['blog', 'handbook', 'payments-api', 'payments-public-api'],
    ],
    [
      'a member of a group',
      person('eve', 'x', 'payments'),
      ['blog', 'handbook', 'payments-api', 'payments-public-api'],
    ],
    [
      'a member of the group of one project',
      person('eve', 'security'),
      ['blog', 'handbook', 'payments-public-api', 'payments-public-keys'],
    ],
    [
      'a person with another spelling of a name',
      person('Ann', 'PAYMENTS'),
      ['blog', 'handbook', 'payments-public-api'],
    ],
    ['a person with the name of a group', person('payments'), ['blog', 'handbook', 'payments-public-api']],
    [
      'a token that changes some projects, and reads others',
      team,
      ['blog', 'payments-api', 'payments-public-api', 'payments-public-keys', 'vault'],
    ],
    [
      'a token that reads only',
      tokenActor('ci', { projects: [], read: ['handbook'] }),
      ['blog', 'handbook', 'payments-public-api'],
    ],
    ['a token without any project', tokenActor('ci', { projects: [] }), ['blog', 'payments-public-api']],
    [
      'a token with the name of a person',
      tokenActor('ann', { projects: [] }),
      ['blog', 'payments-public-api'],
    ],
    ['a token for every project', tokenActor('ci'), PROJECTS],
    ['the server itself', serverActor('retention'), PROJECTS],
  ];
  for (const [who, principal, readable] of rows) {
    it(`lets ${who} read ${readable.length === PROJECTS.length ? 'all' : readable.join(', ')}`, () => {
      assert.deepEqual(readableTo(principal), readable);
    });
  }

  it('is public where every rule is, and closed to all people where the default names nobody', () => {
    const open = policyOf({ a: 'public' });
    for (const each of [NOBODY, person('bob'), team]) assert.equal(open.readerOf(each), ANYBODY);
    const closed = policyOf({}, some([]));
    assert.deepEqual(readableTo(person('ann', 'payments'), closed), []);
    assert.deepEqual([closed.isPublic('blog'), POLICY.isPublic('blog')], [false, true]);
  });

  it('gives equal rights to people with equal projects, and other rights under other rules', () => {
    const { rights } = POLICY.readerOf(person('ann'));
    assert.equal(POLICY.readerOf(person('bob', 'payments')).rights, rights);
    assert.notEqual(POLICY.readerOf(person('bob')).rights, rights);
    const edited = policyOf({ 'payments-*': some(['ann']), handbook: 'signed-in' }, 'public', '2');
    assert.notEqual(edited.readerOf(person('ann')).rights, rights);
    const token = (projects: readonly string[], read?: readonly string[]) =>
      POLICY.readerOf(tokenActor('t', { projects, ...(read && { read }) })).rights;
    assert.equal(token(['a', 'b']), token(['b'], ['a']));
    assert.notEqual(token(['a']), token(['b']));
    assert.notEqual(token([]), rights);
  });

  it('distinguishes people whose names concatenate to the same text', () => {
    const rights = (projects: readonly string[]) => POLICY.readerOf(tokenActor('team', { projects })).rights;
    assert.notEqual(rights(['blog vault']), rights(['blog', 'vault']));
    const policy = policyOf({ payments: some([], ['b']) });
    assert.equal(policy.readerOf(person('a\nb')).maySee('payments'), false);
    assert.equal(policy.readerOf(person('a', 'b')).maySee('payments'), true);
  });

  it('decides like a search through all rules, for 10,000 random policies', () => {
    const name = fc.stringMatching(/^[ab][ab-]{0,4}$/);
    const key = fc.oneof(
      name,
      name.map((text) => `${text}*`),
    );
    const who = fc.constantFrom('ann', 'bob');
    const group = fc.constantFrom('red', 'blue');
    const audience: fc.Arbitrary<Audience> = fc.oneof(
      fc.constantFrom<Audience[]>('public', 'signed-in'),
      fc
        .tuple(fc.array(who, { maxLength: 2 }), fc.array(group, { maxLength: 2 }))
        .map((each) => some(...each)),
    );
    const keys = fc.array(key, { maxLength: 2 });
    const principal: fc.Arbitrary<Principal> = fc.oneof(
      fc.constant<Principal>(NOBODY),
      fc.tuple(who, fc.array(group, { maxLength: 2 })).map(([each, groups]) => person(each, ...groups)),
      fc.tuple(keys, keys).map(([projects, read]) => tokenActor('t', { projects, read })),
    );
    const rules = fc.record({
      default: audience,
      projects: fc.array(fc.tuple(key, audience), { maxLength: 6 }).map((each) => new Map(each)),
    });
    fc.assert(
      fc.property(rules, principal, name, (each, asking, project) => {
        const policy = new AccessPolicy(each, '1');
        assert.equal(policy.readerOf(asking).maySee(project), oracle(each, asking, project));
        assert.equal(policy.isPublic(project), oracle(each, NOBODY, project));
      }),
      { numRuns: 10_000 },
    );
  });
});

describe('The view of a reader with some unreadable projects', () => {
  const catalogue = Catalogue.of([
    makeVersion('lib', '1.0'),
    makeVersion('lib-stable', '2.0'),
    makeVersion('lib-next', '3.0'),
  ]).changed({ settings: [['lib', withAlias(withAlias(NO_SETTINGS, 'stable', '1.0'), 'next', '1.0')]] });
  const policy = policyOf({ 'lib-stable': 'signed-in' });
  const seenBy = (principal: Principal) => catalogue.seenBy(policy.readerOf(principal), NOW);

  it('shows an alias shadowed by a project that the reader may not know', () => {
    const [signedIn, anonymous] = [seenBy(person('ann')), seenBy(NOBODY)];
    assert.deepEqual([...(signedIn.project('lib')?.shadowed ?? [])], ['next', 'stable']);
    assert.equal(signedIn.resolve('lib-stable'), undefined);
    assert.deepEqual([...(anonymous.project('lib')?.shadowed ?? [])], ['next']);
    assert.equal(anonymous.resolve('lib-stable')?.directoryName, 'lib-1.0');
    assert.notEqual(anonymous.project('lib')?.revision, signedIn.project('lib')?.revision);
  });

  it('shows nothing of a closed project on its host', () => {
    const onHost = (principal: Principal) =>
      catalogue.seenBy(readerOnHostOf('lib-stable', policy.readerOf(principal)), NOW);
    assert.deepEqual(onHost(NOBODY).projects, []);
    assert.deepEqual(
      onHost(person('ann')).projects.map(({ directoryName }) => directoryName),
      ['lib-stable'],
    );
    // Rules changed since: the view of before is not the one of now.
    const closed = policyOf({ 'lib-stable': some([]) }, 'public', '2').readerOf(person('ann'));
    assert.deepEqual(catalogue.seenBy(readerOnHostOf('lib-stable', closed), NOW).projects, []);
  });
});

/** Looks through all rules for the one with the most characters before its end. */
function oracle(rules: AccessRules, principal: Principal, project: string): boolean {
  const covers = (key: string) =>
    key.endsWith('*') ? project.startsWith(key.slice(0, -1)) : project === key;
  const rank = (key: string) => (key.endsWith('*') ? key.length : Number.MAX_VALUE);
  let best: string | undefined;
  for (const key of rules.projects.keys()) {
    if (covers(key) && (best === undefined || rank(key) > rank(best))) best = key;
  }
  const audience = (best !== undefined && rules.projects.get(best)) || rules.default;
  if (audience === 'public') return true;
  if (principal.kind === 'token') {
    const { projects = [], read = [] } = principal.policy.grants;
    return [...projects, ...read].some(covers);
  }
  if (principal.kind !== 'person') return false;
  if (audience === 'signed-in' || audience.people.has(principal.name)) return true;
  return [...audience.groups].some((group) => principal.groups.includes(group));
}
