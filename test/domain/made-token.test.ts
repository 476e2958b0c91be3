import '../support/long-runs.js';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import {
  grantsOfMade,
  type MadeToken,
  madeActor,
  type TokenGrants,
  TokenPolicy,
  whyNotMake,
} from '../../src/domain/index.js';

/**
 * Names of projects, one of each kind that patterns can tell apart: some equal a pattern, some match only a pattern with a
 * star, and one matches none, so that no list of patterns names all.
 */
const PROJECTS = ['a', 'b', 'aa', 'ab', 'ba', 'bb', 'ac', 'bc', 'aac', 'abc', 'bac', 'bbc', 'c'];
const NOW = new Date('2027-01-01T00:00:00.000Z');

const element = fc.stringMatching(/^[ab]{1,2}\*?$/);
const elements = fc.uniqueArray(element, { maxLength: 4 });
const end = fc.constantFrom(new Date(NOW.getTime() - 1), NOW, new Date(NOW.getTime() + 1));
const grants: fc.Arbitrary<TokenGrants> = fc
  .record(
    {
      projects: elements,
      read: elements,
      allowOverwrite: fc.boolean(),
      allowDelete: fc.boolean(),
      allowManage: fc.boolean(),
      existingProjectsOnly: fc.boolean(),
      previewsOnly: fc.boolean(),
      allowTokens: fc.boolean(),
      expiresAt: end,
    },
    { requiredKeys: [] },
  )
  // In the tokens file, too, `read` needs `projects`.
  .map(({ read, ...rest }) => (rest.projects === undefined || read === undefined ? rest : { ...rest, read }));

type Deed = readonly [name: string, isAllowed: (policy: TokenPolicy) => boolean];

const INTENTS = [
  { projectExists: false, versionExists: false },
  { projectExists: true, versionExists: false },
  { projectExists: true, versionExists: true },
].flatMap((each) => [each, { ...each, isPreview: true }]);

/** All that a token could do. */
const DEEDS = PROJECTS.flatMap((project): Deed[] => [
  ...INTENTS.flatMap((intent): Deed[] => {
    const upload = { project, label: '1', ...intent };
    const name = JSON.stringify(upload);
    return [
      [`upload ${name}`, (policy) => policy.whyNotUpload(upload) === undefined],
      [`restore ${name}`, (policy) => policy.whyNotRestore(upload) === undefined],
    ];
  }),
  [`delete ${project}`, (policy) => policy.whyNotDelete(project) === undefined],
  [`delete preview ${project}`, (policy) => policy.whyNotDeletePreview(project) === undefined],
  [`manage ${project}`, (policy) => policy.whyNotManage(project) === undefined],
  [`retain ${project}`, (policy) => policy.whyNotRetain(project, { keepPerMinor: 1 }) === undefined],
  [`read ${project}`, (policy) => policy.mayRead(project)],
]);

/** Returns for each deed whether a token may do it. */
function allowedTo(policy: TokenPolicy): readonly boolean[] {
  const isValid = policy.whyNotAtAll(NOW) === undefined;
  return DEEDS.map(([, isAllowed]) => isValid && isAllowed(policy));
}

const madeOf = (given: TokenGrants): MadeToken => ({
  ...{ maker: 'team', name: 'ci', sha256: '', given, madeAt: NOW },
});

describe('A made token', () => {
  // Refusals are errors, and millions of them would spend most of the time on stack traces that nobody reads.
  const { stackTraceLimit } = Error;
  before(() => {
    Error.stackTraceLimit = 0;
  });
  after(() => {
    Error.stackTraceLimit = stackTraceLimit;
  });

  it("has the intersection of its own and its maker's rights: 2,000 random pairs", () => {
    fc.assert(
      fc.property(grants, grants, (given, maker) => {
        const may = allowedTo(madeActor(madeOf(given), maker).policy);
        const makers = allowedTo(new TokenPolicy('team', maker));
        const givens = allowedTo(new TokenPolicy('ci', given));
        const wrong = DEEDS.filter((_, at) => may[at] !== (givens[at] === true && makers[at] === true));
        assert.deepEqual(
          wrong.map(([name]) => name),
          [],
        );
      }),
      { numRuns: 2_000 },
    );
  });

  it('makes no tokens, whatever both rights are', () => {
    fc.assert(
      fc.property(grants, grants, (given, maker) => {
        const policy = new TokenPolicy('ci', grantsOfMade({ ...given, allowTokens: true }, maker));
        assert.equal(whyNotMake(policy, { projects: [] })?.code, 'tokens_not_allowed');
      }),
    );
  });

  it('is made only with rights of its maker: 10,000 random pairs', () => {
    fc.assert(
      fc.property(grants, grants, (given, maker) => {
        const [asked, has] = [new TokenPolicy('ci', given), new TokenPolicy('team', maker)];
        const isPart =
          PROJECTS.every(
            (project) =>
              (asked.whyNotDeletePreview(project) !== undefined ||
                has.whyNotDeletePreview(project) === undefined) &&
              (!asked.mayRead(project) || has.mayRead(project)),
          ) &&
          (['allowOverwrite', 'allowDelete', 'allowManage'] as const).every(
            (right) => given[right] !== true || maker[right] === true,
          ) &&
          !((given.expiresAt ?? NOW) > (maker.expiresAt ?? new Date(8e15)) && given.expiresAt !== undefined);
        const refusal = whyNotMake(has, given);
        assert.equal(refusal === undefined, isPart && maker.allowTokens === true);
        assert.equal(refusal?.code ?? 'tokens_not_allowed', 'tokens_not_allowed');
      }),
      { numRuns: 10_000 },
    );
  });

  it('ends with its maker, or before', () => {
    const [early, late] = [new Date('2027-01-01T00:00:00Z'), new Date('2028-01-01T00:00:00Z')];
    for (const [given, maker, expected] of [
      [undefined, undefined, undefined],
      [early, undefined, early],
      [undefined, early, early],
      [late, early, early],
      [early, late, early],
    ] as const) {
      const grantsTo = (expiresAt: Date | undefined) => (expiresAt === undefined ? {} : { expiresAt });
      assert.deepEqual(grantsOfMade(grantsTo(given), grantsTo(maker)).expiresAt, expected);
    }
  });

  it('is named after its maker, and counts towards its share of uploads', () => {
    const { name, maker, kind, policy } = madeActor(madeOf({}), {});
    assert.deepEqual([kind, name, maker, policy.name], ['token', 'team/ci', 'team', 'team/ci']);
  });

  it("is refused with a sentence that names the maker's missing right", () => {
    const maker = new TokenPolicy('team', { projects: ['a', 'pay-*'], read: ['hand'], allowTokens: true });
    for (const [given, message] of [
      [{}, /'team' cannot grant more than it has: every project; name some in 'projects'/],
      [{ projects: ['a', 'b'] }, /: project b$/],
      [{ projects: ['pay*'] }, /: project pay\*$/],
      [{ projects: ['hand'] }, /: project hand$/],
      [{ projects: [], read: ['other'] }, /: reading project other$/],
      [{ projects: ['a'], allowDelete: true }, /: 'allow_delete'$/],
    ] as const) {
      assert.match(whyNotMake(maker, given)?.message ?? '', message);
    }
    assert.equal(whyNotMake(maker, { projects: ['pay-x*', 'a'], read: ['hand', 'a'] }), undefined);
    assert.match(
      whyNotMake(new TokenPolicy('ci'), {})?.message ?? '',
      /'ci' may not create tokens.*'allow_tokens'/,
    );
  });
});
