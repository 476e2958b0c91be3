import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  jobOf,
  Refusal,
  SOURCE_FACTS,
  type Source,
  shownSource,
  sourceFact,
  sourceLinks,
  sourceToldBy,
  type TrustedIssuer,
} from '../../src/domain/index.js';
import { anyString } from '../support/any-string.js';
import { makeVersion } from './make-version.js';

const COMMIT = '2c26b46b68ffc68ff99b453c1d30413413422d70';
const UUID = '1b4e28ba-2fa1-11d2-883f-0016d3cca427';
const SECRET_LOOKING = 'x\'"><script>';

const GITHUB = {
  repository: 'acme/widgets',
  sha: COMMIT,
  ref: 'refs/tags/v1.0',
  run_id: '1234567890',
  run_attempt: '2',
  repository_visibility: 'public',
};
const GITLAB = {
  project_path: 'acme/tools/widgets',
  sha: COMMIT,
  ref: 'feature/größe',
  ref_type: 'branch',
  job_id: '302',
  pipeline_id: '1212',
  project_visibility: 'internal',
};
const CIRCLECI = {
  'oidc.circleci.com/project-id': UUID,
  'oidc.circleci.com/vcs-origin': 'github.com/acme/widgets',
  'oidc.circleci.com/vcs-ref': 'refs/heads/main',
  'oidc.circleci.com/pipeline-id': UUID,
};

/** The source of a job with these claims. */
function sourceOf(issuer: string, claims: object): Source | undefined {
  const entry: TrustedIssuer = {
    name: 'jobs',
    issuer,
    audience: 'docs',
    claims: new Map(),
    grants: { projects: [] },
  };
  return jobOf([entry], { aud: 'docs', ...claims })?.source;
}

const ofGithub = (more: object = {}, issuer = 'https://token.actions.githubusercontent.com') =>
  sourceOf(issuer, { ...GITHUB, ...more });
const linksOf = (source: Source | undefined) => (source === undefined ? {} : sourceLinks(source));

describe('The source of a job', () => {
  it("follows GitHub's claims, with links to github.com", () => {
    const source = ofGithub();
    assert.deepEqual(source, {
      toldBy: 'issuer',
      repository: 'acme/widgets',
      commit: COMMIT,
      ref: 'refs/tags/v1.0',
      run: '1234567890',
      attempt: '2',
      service: { name: 'github', address: 'https://github.com' },
      isPublic: true,
    });
    assert.deepEqual(linksOf(source), {
      repository: 'https://github.com/acme/widgets',
      commit: `https://github.com/acme/widgets/commit/${COMMIT}`,
      run: 'https://github.com/acme/widgets/actions/runs/1234567890/attempts/2',
    });
  });

  it("follows GitLab's claims, with links to the issuer's address", () => {
    for (const address of [
      'https://gitlab.com',
      'https://git.example.org:8443',
      'https://example.org/gitlab',
    ]) {
      for (const issuer of [address, `${address}/`]) {
        const source = sourceOf(issuer, GITLAB);
        assert.equal(source?.repository, 'acme/tools/widgets');
        assert.equal(source?.ref, 'feature/größe');
        assert.equal(source?.isPublic, undefined);
        assert.deepEqual(linksOf(source), {
          repository: `${address}/acme/tools/widgets`,
          commit: `${address}/acme/tools/widgets/-/commit/${COMMIT}`,
          run: `${address}/acme/tools/widgets/-/jobs/302`,
        });
      }
    }
  });

  it("follows CircleCI's claims, without links: CircleCI does not host the repository", () => {
    const source = sourceOf(`https://oidc.circleci.com/org/${UUID}`, CIRCLECI);
    assert.deepEqual(source, {
      toldBy: 'issuer',
      repository: 'github.com/acme/widgets',
      ref: 'refs/heads/main',
      run: UUID,
    });
    assert.deepEqual(linksOf(source), {});
  });

  for (const [issuer, address] of [
    ['https://token.actions.githubusercontent.com', 'https://github.com'],
    ['https://token.actions.githubusercontent.com/octocat-inc', 'https://github.com'],
    ['https://token.actions.octocorp.ghe.com', 'https://octocorp.ghe.com'],
    ['https://token.actions.octocorp.ghe.com/octocorp', 'https://octocorp.ghe.com'],
    ['https://git.example.org/_services/token', 'https://git.example.org'],
    ['https://git.example.org:8443/_services/token/', 'https://git.example.org:8443'],
    ['https://git.example.org/api/actions', undefined],
    ['https://token.actions.githubusercontent.com.evil.example', undefined],
    ['https://evil.example/token.actions.githubusercontent.com', undefined],
    ['https://token.actions.a.b.ghe.com', undefined],
    ['https://evil.example/x/_services/token', undefined],
    ['http://git.example.org/_services/token', undefined],
    ['no address', undefined],
  ] as const) {
    it(`has ${address === undefined ? 'no links' : `links to ${address}`} for ${issuer}`, () => {
      assert.equal(linksOf(ofGithub({}, issuer)).repository, address && `${address}/acme/widgets`);
    });
  }

  it('is public only when its issuer says exactly so', () => {
    for (const visibility of ['private', 'internal', 'Public', '', true, ['public'], undefined]) {
      assert.equal(ofGithub({ repository_visibility: visibility })?.isPublic, undefined);
    }
  });

  for (const [what, claims] of Object.entries({
    'a line break': { repository: 'acme/wid\ngets', ref: 'main\n', sha: `${COMMIT}\n`, run_id: '1\n' },
    quotes: { repository: SECRET_LOOKING, ref: SECRET_LOOKING, sha: SECRET_LOOKING, run_id: SECRET_LOOKING },
    'a scheme': {
      repository: 'javascript:alert(1)',
      ref: 'javascript:x',
      sha: 'javascript:',
      run_id: 'data:,',
    },
    'a way up': { repository: '../evil', ref: '../../x', sha: '../abc1234', run_id: '../1' },
    'a way up in its middle': {
      repository: 'acme/../evil',
      ref: 'a/../b',
      sha: `${COMMIT}/..`,
      run_id: '1/..',
    },
    'another host': {
      repository: '//evil.example/x',
      ref: '\\\\evil',
      sha: '@evil.example',
      run_id: '1@evil',
    },
    'a query': { repository: 'acme/widgets?x', ref: 'main?x', sha: `${COMMIT}?x`, run_id: '1?x' },
    'a fragment': { repository: 'acme/widgets#x', sha: `${COMMIT}#x`, run_id: '1#x', ref: ' ' },
    'control of direction': {
      repository: 'acme/\u202Ex',
      ref: 'main\u2066',
      sha: `\u200F${COMMIT}`,
      run_id: '\u202E1',
    },
    'too many characters': {
      repository: `acme/${'x'.repeat(196)}`,
      ref: 'x'.repeat(256),
      sha: 'a'.repeat(65),
      run_id: '1'.repeat(21),
    },
    'too few characters': { repository: '', ref: '', sha: 'abc123', run_id: '' },
    'another type': { repository: ['acme/widgets'], ref: { a: 1 }, sha: null, run_id: [1] },
  })) {
    it(`leaves out claims with ${what}`, () => {
      assert.equal(ofGithub({ ...claims, run_attempt: '\n' }), undefined);
    });
  }

  it('keeps valid claims beside invalid ones', () => {
    const source = ofGithub({ ref: 'refs/heads/it`s' });
    assert.deepEqual([source?.ref, source?.commit, source?.repository], [undefined, COMMIT, 'acme/widgets']);
  });

  it('accepts a numeric run, and an upper-case commit', () => {
    const source = ofGithub({ run_id: 42, sha: COMMIT.toUpperCase() });
    assert.deepEqual([source?.run, source?.commit], ['42', COMMIT]);
  });

  it('is undefined for claims without source facts', () => {
    assert.equal(sourceOf('https://issuer.example.org', { sub: 'x', sha: COMMIT }), undefined);
  });

  it("links to its issuer's host only, whatever the claims contain", () => {
    const text = fc.oneof(
      anyString({ maxLength: 30 }),
      fc.webPath(),
      fc.constantFrom('acme/w', '..', 'a/..', COMMIT, '1'),
    );
    const claims = fc.record({ repository: text, sha: text, ref: text, run_id: text, run_attempt: text });
    fc.assert(
      fc.property(claims, (given) => {
        for (const link of Object.values(linksOf(ofGithub(given)))) {
          assert.ok(link.startsWith('https://github.com/'));
          // As a browser would read it.
          assert.equal(new URL(link).href, link);
          assert.doesNotMatch(link, /["'<>\s\\]|\/\.\.?(?:\/|$)/);
        }
      }),
    );
  });
});

describe('The source told by a client', () => {
  it('is stored as told, without links', () => {
    const told = { repository: 'git.example.org/acme/widgets', commit: 'ABC1234', ref: 'main', run: '7' };
    const source = sourceToldBy(told);
    assert.deepEqual(source, { toldBy: 'client', ...told, commit: 'abc1234' });
    assert.deepEqual(linksOf(source), {});
  });

  it('has no links, whatever a record contains', () => {
    const service = { name: 'github', address: 'https://github.com' } as const;
    assert.deepEqual(
      sourceLinks({ toldBy: 'client', repository: 'acme/widgets', commit: COMMIT, service }),
      {},
    );
  });

  it('is undefined when nothing is told', () => {
    assert.equal(sourceToldBy({}), undefined);
  });

  for (const fact of SOURCE_FACTS) {
    it(`is refused with a ${fact} of another form, with the rule`, () => {
      assert.throws(
        () => sourceToldBy({ [fact]: SECRET_LOOKING }),
        (error) =>
          error instanceof Refusal &&
          error.code === 'invalid_request' &&
          error.message.startsWith(`'source_${fact}' is `),
      );
    });
  }
});

describe('A fact about a source', () => {
  for (const [fact, right] of [
    ['repository', ['widgets', 'acme/widgets', 'a/b/c.js', '~acme/w-1_2', 'a/..b', 'x'.repeat(200)]],
    ['commit', ['abc1234', 'a'.repeat(64)]],
    ['ref', ['main', 'refs/tags/v1.0+1', 'feature/größe', '日本', 'user@host', '#12', 'x'.repeat(255)]],
    ['run', ['1', '1'.repeat(20), UUID]],
    ['attempt', ['1', '123456']],
  ] as const) {
    it(`is a ${fact} such as ${right[0]}`, () => {
      for (const text of right) assert.equal(sourceFact(fact, text), text);
    });
  }
});

describe('The source of a version', () => {
  const claimed = ofGithub({ repository_visibility: 'private' });
  for (const [what, source, docinfo, forAll] of [
    ['of a public repository', ofGithub(), undefined, true],
    ['of a private repository', claimed, undefined, false],
    ['of a private repository that its docinfo shows', claimed, { source: 'public' }, true],
    ['that a client told', sourceToldBy({ commit: COMMIT }), undefined, false],
    [
      'that a client told and its docinfo shows',
      sourceToldBy({ commit: COMMIT }),
      { source: 'public' },
      true,
    ],
  ] as const) {
    it(`is shown to ${forAll ? 'everybody' : 'known readers'}: ${what}`, () => {
      const version = makeVersion('widgets', '1.0', { source, docinfo });
      const located = { project: undefined, version };
      assert.equal(shownSource(located, true), source);
      assert.equal(shownSource(located, false), forAll ? source : undefined);
    });
  }
});
