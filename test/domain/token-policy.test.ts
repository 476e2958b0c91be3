import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { jobActor, type TokenGrants, TokenPolicy, tokenActor } from '../../src/domain/index.js';

const YES_OR_NO = [true, false] as const;
const FLAGS = [true, false, undefined] as const;

/** Every combination of grants, for a token that covers `mine`, or everything, or nothing. */
const POLICIES = [['mine', 'other'], undefined, []].flatMap((projects) =>
  FLAGS.flatMap((allowOverwrite) =>
    FLAGS.flatMap((allowDelete) =>
      FLAGS.map((existingProjectsOnly): { title: string; grants: TokenGrants } => ({
        title: JSON.stringify({
          projects: projects ?? 'absent',
          allowOverwrite,
          allowDelete,
          existingProjectsOnly,
        }),
        grants: {
          ...(projects !== undefined && { projects }),
          ...(allowOverwrite !== undefined && { allowOverwrite }),
          ...(allowDelete !== undefined && { allowDelete }),
          ...(existingProjectsOnly !== undefined && { existingProjectsOnly }),
        },
      })),
    ),
  ),
);

describe('A token', () => {
  for (const { title, grants } of POLICIES) {
    it(`decides every upload and deletion by the table with ${title}`, () => {
      const policy = new TokenPolicy('ci', grants);
      assert.equal(policy.mayOverwrite, grants.allowOverwrite ?? false);
      for (const project of ['mine', 'foreign']) {
        const covered = grants.projects?.includes(project) ?? true;
        for (const projectExists of YES_OR_NO) {
          for (const versionExists of projectExists ? YES_OR_NO : [false]) {
            const refusal = policy.whyNotUpload({ project, label: '1.0', projectExists, versionExists });
            const expected = !covered
              ? 'project_not_allowed'
              : grants.existingProjectsOnly === true && !projectExists
                ? 'project_not_existing'
                : versionExists && grants.allowOverwrite !== true
                  ? 'version_exists'
                  : undefined;
            assert.equal(refusal?.code, expected);
          }
        }
        const expected = !covered
          ? 'project_not_allowed'
          : grants.allowDelete !== true
            ? 'delete_not_allowed'
            : undefined;
        assert.equal(policy.whyNotDelete(project)?.code, expected);
      }
    });
  }

  for (const { title, grants } of POLICIES) {
    it(`restores, and sets rules, only within its rights with ${title}`, () => {
      for (const allowManage of FLAGS) {
        const policy = new TokenPolicy('ci', {
          ...grants,
          ...(allowManage !== undefined && { allowManage }),
        });
        for (const project of ['mine', 'foreign']) {
          const mayNot = policy.whyNotManage(project)?.code;
          assert.equal(
            mayNot === undefined,
            allowManage === true && policy.whyNotDeletePreview(project) === undefined,
          );
          for (const rules of [
            { keepPerMinor: 1 },
            { keepPreReleases: 0 },
            { preReleaseDays: 0 },
            { maxAgeDays: 1 },
          ]) {
            const expected = mayNot ?? policy.whyNotDelete(project)?.code;
            assert.equal(policy.whyNotRetain(project, rules)?.code, expected);
          }
          for (const rules of [{}, { copiedIn: true }]) {
            assert.equal(policy.whyNotRetain(project, rules)?.code, mayNot);
          }
          for (const projectExists of YES_OR_NO) {
            for (const versionExists of projectExists ? YES_OR_NO : [false]) {
              const intent = { project, label: '1.0', projectExists, versionExists };
              const expected = mayNot ?? policy.whyNotUpload(intent)?.code;
              assert.equal(policy.whyNotRestore(intent)?.code, expected);
            }
          }
        }
      }
    });
  }

  it('uploads new versions to every project without any grant, and neither overwrites nor deletes', () => {
    const policy = new TokenPolicy('ci');
    const upload = { project: 'p', label: '1.0', projectExists: false, versionExists: false };
    assert.equal(policy.whyNotUpload(upload), undefined);
    assert.equal(
      policy.whyNotUpload({ ...upload, projectExists: true, versionExists: true })?.code,
      'version_exists',
    );
    assert.equal(policy.whyNotDelete('p')?.code, 'delete_not_allowed');
  });

  it('reads its own projects and its readable ones, whatever its other rights', () => {
    for (const [grants, readable] of [
      [{}, ['mine', 'foreign', 'team-a']],
      [{ projects: ['mine'] }, ['mine']],
      [{ projects: ['mine'], previewsOnly: true }, ['mine']],
      [{ projects: ['team-*'], read: ['foreign'] }, ['foreign', 'team-a']],
      [{ projects: [], read: ['team-*'] }, ['team-a']],
      [{ projects: [], read: [] }, []],
    ] as const) {
      const policy = new TokenPolicy('ci', grants);
      assert.deepEqual(
        ['mine', 'foreign', 'team-a'].filter((project) => policy.mayRead(project)),
        readable,
        JSON.stringify(grants),
      );
    }
  });

  it('publishes and deletes previews alone when it is for previews, whatever its grants', () => {
    const rights = { allowOverwrite: true, allowDelete: true, allowManage: true };
    const policy = new TokenPolicy('ci', { projects: ['mine'], previewsOnly: true, ...rights });
    const upload = { project: 'mine', label: '1.0', projectExists: true, versionExists: false };
    const preview = { ...upload, isPreview: true };
    assert.equal(policy.whyNotUpload(preview), undefined);
    assert.equal(policy.whyNotDeletePreview('mine'), undefined);
    assert.equal(policy.whyNotUpload({ ...preview, project: 'foreign' })?.code, 'project_not_allowed');
    assert.equal(policy.whyNotUpload({ ...upload, project: 'foreign' })?.code, 'project_not_allowed');
    for (const versionExists of YES_OR_NO) {
      assert.equal(policy.whyNotUpload({ ...upload, versionExists })?.code, 'version_not_allowed');
    }
    assert.match(policy.whyNotUpload(upload)?.message ?? '', /'ci' may publish previews only/);
    assert.equal(policy.whyNotDelete('mine')?.code, 'delete_not_allowed');
    assert.equal(policy.whyNotManage('mine')?.code, 'manage_not_allowed');
    for (const refusal of [policy.whyNotDelete('mine'), policy.whyNotManage('mine')]) {
      assert.match(refusal?.message ?? '', / and without 'previews_only'$/);
    }
    assert.equal(policy.whyNotRestore(preview)?.code, 'manage_not_allowed');
    assert.deepEqual([policy.mayOverwrite, policy.mayManage], [false, false]);
  });

  it('is refused for its projects first, so that it learns nothing about foreign ones', () => {
    const policy = new TokenPolicy('ci', { projects: ['mine'], existingProjectsOnly: true });
    const sentences = YES_OR_NO.flatMap((exists) => [
      policy.whyNotUpload({ project: 'foreign', label: '1.0', projectExists: exists, versionExists: exists })
        ?.message,
    ]);
    assert.equal(new Set(sentences).size, 1);
    assert.equal(policy.whyNotDelete('foreign')?.code, 'project_not_allowed');
  });

  it('covers exactly its listed names: no other case, no part, no longer name', () => {
    const policy = new TokenPolicy('ci', { projects: ['my-project'], allowDelete: true });
    assert.equal(policy.whyNotDelete('my-project'), undefined);
    for (const project of [
      'My-Project',
      'MY-PROJECT',
      'my',
      'my-project-x',
      'my-projec',
      ' my-project',
      '*',
      '',
      '0',
    ]) {
      assert.equal(policy.whyNotDelete(project)?.code, 'project_not_allowed', project);
    }
  });

  it('covers no prototype name', () => {
    for (const projects of [[], ['mine']]) {
      const policy = new TokenPolicy('ci', { projects, allowDelete: true });
      for (const project of [
        '__proto__',
        'constructor',
        'toString',
        'hasOwnProperty',
        'length',
        'includes',
        '0',
      ]) {
        assert.equal(policy.whyNotDelete(project)?.code, 'project_not_allowed', project);
      }
    }
    const named = new TokenPolicy('ci', { projects: ['constructor'], allowDelete: true });
    assert.equal(named.whyNotDelete('constructor'), undefined);
  });

  it('manages all projects with allow_manage alone, not for a list of projects, for previews, or as a job', () => {
    const whys = [
      tokenActor('a', { allowManage: true }),
      tokenActor('b'),
      tokenActor('c', { allowManage: true, projects: ['mine'] }),
      tokenActor('d', { allowManage: true, previewsOnly: true }),
      jobActor('e', 'repo', { allowManage: true, projects: ['mine'] }),
    ].map(({ policy }) => policy.whyNotManageAll());
    assert.deepEqual(
      whys.map((why) => why?.code),
      [undefined, ...Array(4).fill('manage_not_allowed')],
    );
    assert.match(whys[2]?.message ?? '', /'c'.*every project.*without 'projects'/);
  });

  it('is refused with its name, the missing right, and a remedy', () => {
    const policy = new TokenPolicy('ci', { projects: ['mine'], existingProjectsOnly: true });
    const upload = { project: 'mine', label: '1.0', projectExists: true, versionExists: true };
    const messages = [
      policy.whyNotDelete('foreign')?.message,
      policy.whyNotDelete('mine')?.message,
      policy.whyNotUpload({ ...upload, projectExists: false })?.message,
      policy.whyNotUpload(upload)?.message,
      policy.whyNotManage('mine')?.message,
    ];
    assert.match(messages[0] ?? '', /'ci'.*'foreign'.*'projects'/);
    assert.match(messages[1] ?? '', /'ci'.*'allow_delete'/);
    assert.match(messages[2] ?? '', /'mine'.*'ci'.*check the name/);
    assert.match(
      messages[3] ?? '',
      /^mine 1\.0 already exists, and token 'ci' may not overwrite it.*'allow_overwrite'/,
    );
    assert.match(messages[4] ?? '', /'ci'.*settings.*'allow_manage'/);
  });

  it('is refused with hostile names made visible', () => {
    const policy = new TokenPolicy('ci', { projects: [] });
    const message = policy.whyNotDelete(`x\r\ny\u001b[2J\u202e${'z'.repeat(9000)}`)?.message ?? '';
    assert.doesNotMatch(message, /[\p{Cc}\p{Cf}]/u);
    assert.ok(message.length < 600, `${message.length} characters`);
  });
});
