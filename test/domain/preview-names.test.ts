import '../support/long-runs.js';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  archiveNameOf,
  isCopiedInName,
  isPreview,
  parseArchiveName,
  parseDirectoryName,
  previewIdOf,
  Refusal,
  versionIdOf,
  whyNoPreviewId,
  whyNotSpelled,
} from '../../src/domain/index.js';
import { anyLabel, projectName } from './labels.js';

/** Names of previews and of what is none: `pr-123`, `1.0`, `a~b`, `latest`, `x/y`. */
const previewName = fc.oneof(
  projectName,
  anyLabel,
  fc.constantFrom('pr-123', 'latest', 'main-latest', '1.0.0', 'v2', 'docs.zip', 'a-docs.zip', '', '~', 'a~b'),
  fc.string({ unit: fc.constantFrom('a', '1', '-', '.', '_', '+', '~', '/', 'é'), maxLength: 110 }),
);

describe('The file name of a preview', () => {
  for (const [fileName, project, name] of [
    ['my-site~pr-123-docs.zip', 'my-site', 'pr-123'],
    ['lib-2~1.0.0-docs.zip', 'lib-2', '1.0.0'],
    ['a-1.0~rc1-docs.zip', 'a-1.0', 'rc1'],
    ['a~latest-docs.zip', 'a', 'latest'],
    ['a~b-docs-docs.zip', 'a', 'b-docs'],
    ['/tmp/x~y/a~b-docs.zip', 'a', 'b'],
  ] as const) {
    it(`is parsed as ${name} of ${project}: ${fileName}`, () => {
      const id = parseArchiveName(fileName);
      assert.deepEqual(id, { project, label: name, directoryName: `${project}~${name}` });
      assert.ok(isPreview(id));
    });
  }

  for (const [fileName, why] of [
    ['my-site~feature+login-docs.zip', "a preview's name may not contain '+'; use feature-login"],
    ['my-site~feature/login-docs.zip', "a preview's name may not contain '/'; use feature-login"],
    ['C:\\x\\my-site~feature\\login-docs.zip', 'use feature-login'],
    ['/home/my-site~a/b/c-docs.zip', "a preview's name may not contain '/'; use a-b-c"],
    ['my-site~a~b-docs.zip', "a preview's name may not contain '~'; use a-b"],
    ['my-site~größe-docs.zip', "a preview's name may not contain 'ö'; use gr-e"],
    ['my site~pr-1-docs.zip', "a project may not contain ' '; use my-site"],
    ['my-site~-docs.zip', "a preview's name has 1 to 100 letters, digits, '.', '_' or '-'"],
    ['~pr-1-docs.zip', "a project has 1 to 100 letters, digits, '.', '_' or '-'"],
    ['my-site~.hidden-docs.zip', 'with a letter or digit at both ends; use hidden'],
    ['my-site~a-docs.zip-docs.zip', "a preview's name may not end with '-docs.zip'"],
    [`a~${'x'.repeat(101)}-docs.zip`, "a preview's name has 1 to 100 letters"],
  ] as const) {
    it(`is refused with a valid suggestion: ${fileName.slice(0, 40)}`, () => {
      assert.throws(
        () => parseArchiveName(fileName),
        (error: unknown) => {
          assert.ok(error instanceof Refusal);
          assert.equal(error.code, 'invalid_filename');
          assert.ok(error.message.includes(why), error.message);
          assert.match(
            error.message,
            /name a preview '<project>~<name>-docs\.zip', for example 'my-project~pr-123-docs\.zip'$/,
          );
          return true;
        },
      );
    });
  }
});

describe('The name of a preview', () => {
  it('suggests a valid name for the name of a branch', () => {
    assert.equal(
      whyNoPreviewId('my-site', 'feature/login'),
      "a preview's name may not contain '/'; use feature-login",
    );
  });

  it('is never parsed as a version, nor a version as a preview, whatever the names', () => {
    fc.assert(
      fc.property(projectName, previewName, (project, name) => {
        const id = previewIdOf(project, name);
        if (id === undefined) {
          assert.notEqual(whyNoPreviewId(project, name), '');
          assert.equal(parseDirectoryName(`${project}~${name}`), undefined);
          return;
        }
        assert.ok(isPreview(id));
        assert.deepEqual(parseDirectoryName(id.directoryName), id);
        assert.ok(!isCopiedInName(id.directoryName));
        for (let at = 0; at < id.directoryName.length; at++) {
          const before = id.directoryName.slice(0, at);
          const after = id.directoryName.slice(at + 1);
          assert.notEqual(versionIdOf(before, after)?.directoryName, id.directoryName);
        }
      }),
      { numRuns: 3000 },
    );
    fc.assert(
      fc.property(projectName, anyLabel, (project, label) => {
        const id = versionIdOf(project, label);
        if (id === undefined) return;
        assert.ok(!isPreview(id));
        for (let at = 0; at < id.directoryName.length; at++) {
          const before = id.directoryName.slice(0, at);
          const after = id.directoryName.slice(at + 1);
          assert.notEqual(previewIdOf(before, after)?.directoryName, id.directoryName);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('is recovered from the name of its archive, and is no archive’s name itself', () => {
    fc.assert(
      fc.property(projectName, previewName, (project, name) => {
        const id = previewIdOf(project, name);
        if (id === undefined) return;
        const fileName = archiveNameOf(id.directoryName);
        if (fileName.length <= 200) assert.deepEqual(parseArchiveName(fileName), id);
        assert.doesNotMatch(id.directoryName, /-docs\.zip$/i);
      }),
      { numRuns: 2000 },
    );
  });

  it('is refused with a valid suggestion, wherever one can be made', () => {
    fc.assert(
      fc.property(previewName, (name) => {
        if (previewIdOf('a', name) !== undefined) return;
        const [, use] = /; use (.+)$/.exec(whyNoPreviewId('a', name)) ?? [];
        if (use !== undefined) assert.notEqual(previewIdOf('a', use), undefined);
      }),
      { numRuns: 2000 },
    );
  });

  it('is refused in another spelling where the file system ignores case', () => {
    const existing = [
      previewIdOf('lib', 'PR-1') ?? assert.fail(),
      versionIdOf('Tool', '1.0') ?? assert.fail(),
    ];
    const why = (project: string, name: string) =>
      whyNotSpelled(previewIdOf(project, name) ?? assert.fail(), existing)?.code;
    assert.equal(why('lib', 'PR-1'), undefined);
    assert.equal(why('lib', 'pr-1'), 'version_exists');
    assert.equal(why('Lib', 'PR-1'), 'project_not_allowed');
    assert.equal(why('Lib', 'pr-2'), 'project_not_allowed');
    assert.equal(why('tool', 'pr-2'), 'project_not_allowed');
    assert.equal(why('lib', 'pr-2'), undefined);
  });
});
