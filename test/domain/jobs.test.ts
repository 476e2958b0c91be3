import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  type Claims,
  fitsClaimPattern,
  isClaimInBraces,
  jobOf,
  namesOwner,
  OWNER_CLAIM_NAMES,
  projectsOfJob,
  type TrustedIssuer,
} from '../../src/domain/index.js';
import { anyString } from '../support/any-string.js';

const conditions = (claims: Readonly<Record<string, readonly string[]>>) => new Map(Object.entries(claims));

const ENTRY: TrustedIssuer = {
  name: 'github',
  issuer: 'https://issuer.example.org',
  audience: 'https://docs.example.org',
  claims: conditions({ repository_owner_id: ['1234'], ref: ['refs/tags/*', 'refs/heads/main'] }),
  grants: { projects: ['{repository}', 'handbook', 'api-*'], read: ['{repository}'], allowOverwrite: true },
};

const CLAIMS: Claims = {
  iss: ENTRY.issuer,
  aud: ENTRY.audience,
  sub: 'repo:acme/widgets:ref:refs/tags/v1',
  repository: 'acme/widgets',
  repository_owner_id: '1234',
  ref: 'refs/tags/v1',
};

describe('A pattern for a claim', () => {
  for (const [pattern, fitting, others] of [
    ['main', ['main'], ['Main', 'main2', '', 'mai']],
    [
      'refs/tags/*',
      ['refs/tags/v1', 'refs/tags/', 'refs/tags/a/b'],
      ['refs/tags', 'refs/heads/refs/tags/v1'],
    ],
    ['*', ['', 'a', '*'], []],
    ['a*a', ['aa', 'aba', 'a*a'], ['a', 'ab', 'ba']],
    ['v*.*.*', ['v1.2.3', 'v...'], ['v1.2', '1.2.3']],
    ['*-docs', ['-docs', 'a-docs'], ['docs', 'a-docs-']],
    ['a.c', ['a.c'], ['abc']],
    ['', [''], ['a']],
  ] as const) {
    it(`matches ${JSON.stringify(fitting)}, and not ${JSON.stringify(others)}: '${pattern}'`, () => {
      for (const text of fitting) assert.equal(fitsClaimPattern(pattern, text), true, text);
      for (const text of others) assert.equal(fitsClaimPattern(pattern, text), false, text);
    });
  }

  it('matches like its regular expression', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '/', '*', '.'), maxLength: 8 });
    fc.assert(
      fc.property(letters, letters, (pattern, text) => {
        const oracle = new RegExp(`^${pattern.replaceAll('.', '[.]').replaceAll('*', '.*')}$`);
        assert.equal(fitsClaimPattern(pattern, text), oracle.test(text));
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('The conditions of an entry', () => {
  for (const [what, claims] of [
    ['the id of an owner', { repository_owner_id: ['1234'] }],
    ['one of two owners', { repository_owner: ['acme', 'umbrella'] }],
    ['a repository', { repository: ['acme/widgets'] }],
    ['every repository of an owner', { repository: ['acme/*'] }],
    ['a group of GitLab and those in it', { namespace_path: ['acme', 'acme/*'] }],
    ['the projects of a group', { project_path: ['acme/docs-*'] }],
    ['the subject of a repository', { sub: ['repo:acme/widgets:ref:refs/heads/main'] }],
    ['every subject of an owner', { sub: ['repo:acme/*'] }],
    ['an owner beside an unrelated claim', { ref: ['*'], repository_owner_id: ['1'] }],
  ] as const) {
    it(`name an owner by ${what}`, () => assert.equal(namesOwner(conditions(claims)), true));
  }

  for (const [what, claims] of [
    ['no condition', {}],
    ['an empty list', { repository_owner: [] }],
    ['any owner', { repository_owner: ['*'] }],
    ['owners with a prefix', { repository_owner: ['acme*'] }],
    ['one owner, or any', { repository_owner: ['acme', '*'] }],
    ['a repository name of any owner', { repository: ['*/flask'] }],
    ['repositories of owners with a prefix', { repository: ['acme*/flask'] }],
    ['a group with a prefix', { namespace_path: ['acme*'] }],
    ['an empty owner', { project_path: ['/*'] }],
    ['subjects of owners with a prefix', { sub: ['repo:acme*'] }],
    ['subjects of any project', { sub: ['project_path:*/docs:*'] }],
    ['subjects in another form', { sub: ['https://*'] }],
    ['a branch', { ref: ['refs/heads/main'] }],
    ['the user who started the job', { actor: ['ann'] }],
    ['a claim of the prototype', { constructor: ['acme'] }],
  ] as const) {
    it(`name nobody by ${what}`, () => assert.equal(namesOwner(conditions(claims)), false));
  }

  it("name nobody by patterns that another owner's jobs can match", () => {
    const letters = fc.string({ unit: fc.constantFrom('a', '*', '/', ':'), maxLength: 6 });
    const claim = fc.constantFrom(...OWNER_CLAIM_NAMES);
    fc.assert(
      fc.property(claim, letters, fc.constantFrom('', 'repo:', 'project_path:'), (name, rest, prefix) => {
        const pattern = prefix + rest;
        if (!namesOwner(conditions({ [name]: [pattern] }))) return;
        // Nobody else's value begins with the owner that an attacker would have to have.
        for (const other of ['mallory', 'mallory/a', 'repo:mallory/a:b', 'project_path:mallory/a:b']) {
          assert.equal(fitsClaimPattern(pattern, other), false, pattern);
        }
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('{claim} among the projects of an entry', () => {
  it('must be a whole element', () => {
    const texts = [
      '{repository}',
      '{oidc.circleci.com/project-id}',
      '{}',
      '{a}-*',
      'x-{a}',
      '{a*}',
      '{{a}}',
      'a',
    ];
    assert.deepEqual(texts.filter(isClaimInBraces), ['{repository}', '{oidc.circleci.com/project-id}']);
  });

  for (const [value, projects] of [
    ['acme/widgets', ['widgets']],
    ['acme/sub/Widgets.js', ['Widgets.js']],
    ['widgets', ['widgets']],
    [7, ['7']],
    ['acme/', []],
    ['acme/..', []],
    ['..', []],
    ['acme/.', []],
    ['acme/*', []],
    ['acme/api-*', []],
    ['acme/a b', []],
    ['acme/a\\b', []],
    ['acme/a%2Fb', []],
    ['acme/{repository}', []],
    ['acme/a\0', []],
    ['acme/widgets\n', []],
    ['', []],
    [['acme/widgets'], []],
    [{ name: 'widgets' }, []],
    [null, []],
    [undefined, []],
  ] as const) {
    it(`is ${projects[0] ?? 'nothing'} for ${JSON.stringify(value)}`, () => {
      assert.deepEqual(projectsOfJob('{repository}', { repository: value }), projects);
    });
  }

  it('is nothing for prototype names', () => {
    assert.deepEqual(projectsOfJob('{constructor}', {}), []);
    assert.deepEqual(projectsOfJob('{__proto__}', {}), []);
  });

  it('gives a job at most the one project at the end of the claim, whatever it contains', () => {
    fc.assert(
      fc.property(anyString({ maxLength: 12 }), (value) => {
        const projects = projectsOfJob('{repository}', { repository: value });
        assert.ok(projects.length <= 1);
        for (const project of projects) {
          assert.match(project, /^[A-Za-z0-9._-]+$/);
          assert.ok(value === project || value.endsWith(`/${project}`));
        }
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('A job', () => {
  it("has the name of its entry, its subject, and the entry's rights for its own project", () => {
    const job = jobOf([ENTRY], CLAIMS);
    assert.deepEqual([job?.kind, job?.name, job?.subject], ['job', 'github', CLAIMS.sub]);
    assert.deepEqual(job?.policy.grants.projects, ['widgets', 'handbook', 'api-*']);
    assert.deepEqual(job?.policy.grants.read, ['widgets']);
    const upload = { project: 'widgets', label: '1', projectExists: true, versionExists: true };
    assert.equal(job?.policy.whyNotUpload(upload), undefined);
    assert.equal(job?.policy.whyNotUpload({ ...upload, project: 'flask' })?.code, 'project_not_allowed');
    assert.equal(job?.policy.whyNotDelete('widgets')?.code, 'delete_not_allowed');
  });

  it("may change only the entry's other projects when its repository matches no project", () => {
    const job = jobOf([ENTRY], { ...CLAIMS, repository: 'acme/..' });
    assert.deepEqual(job?.policy.grants.projects, ['handbook', 'api-*']);
  });

  for (const [what, claims] of [
    ['another owner', { repository_owner_id: '1235' }],
    ['an owner with a prefix', { repository_owner_id: '12345' }],
    ['no owner', { repository_owner_id: undefined }],
    ['several owners', { repository_owner_id: ['1234'] }],
    ['another branch', { ref: 'refs/heads/feature' }],
    ['no branch', { ref: undefined }],
    ['another audience', { aud: 'https://other.example.org' }],
    ['no audience', { aud: undefined }],
    ['an audience with a prefix', { aud: `${ENTRY.audience}.evil.example` }],
  ] as const) {
    it(`matches no entry with ${what}`, () =>
      assert.equal(jobOf([ENTRY], { ...CLAIMS, ...claims }), undefined));
  }

  it('may have additional audiences, and numeric claims', () => {
    const claims = { ...CLAIMS, aud: ['x', ENTRY.audience], repository_owner_id: 1234 };
    assert.equal(jobOf([ENTRY], claims)?.name, 'github');
  });

  it('may have boolean claims, written in a condition as in JSON', () => {
    const entry = {
      ...ENTRY,
      claims: conditions({ repository_owner_id: ['1234'], ref_protected: ['true'] }),
    };
    assert.equal(jobOf([entry], { ...CLAIMS, ref_protected: true })?.name, 'github');
    for (const ref_protected of [false, null, [true], { true: true }]) {
      assert.equal(jobOf([entry], { ...CLAIMS, ref_protected }), undefined);
    }
  });

  it('has the rights of the first matching entry', () => {
    const previews = { ...ENTRY, name: 'previews', claims: conditions({ repository_owner_id: ['1234'] }) };
    assert.equal(jobOf([ENTRY, previews], CLAIMS)?.name, 'github');
    assert.equal(jobOf([previews, ENTRY], CLAIMS)?.name, 'previews');
    assert.equal(jobOf([ENTRY, previews], { ...CLAIMS, ref: 'refs/pull/7/merge' })?.name, 'previews');
  });

  it('matches an entry when each condition is met, like a naive comparison', () => {
    const value = fc.constantFrom('a', 'b', 'ab', 'a/b', undefined);
    const pattern = fc.constantFrom('a', 'b', 'a*', '*b', '*', 'a/*');
    const names = ['one', 'two', 'repository_owner'] as const;
    const arbitrary = fc.record({
      claims: fc.record({ one: value, two: value, repository_owner: value }),
      wanted: fc.dictionary(fc.constantFrom(...names), fc.array(pattern, { minLength: 1, maxLength: 2 })),
    });
    fc.assert(
      fc.property(arbitrary, ({ claims, wanted }) => {
        const entry = { ...ENTRY, claims: conditions(wanted) };
        const oracle = Object.entries(wanted).every(([name, patterns]) => {
          const text = claims[name as (typeof names)[number]];
          return patterns.some(
            (each) => text !== undefined && new RegExp(`^${each.replaceAll('*', '.*')}$`).test(text),
          );
        });
        const job = jobOf([entry], { ...claims, aud: ENTRY.audience, sub: 's' });
        assert.equal(job !== undefined, oracle);
      }),
      { numRuns: 5_000 },
    );
  });
});
