import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  faultsOf,
  idOf,
  suggestedFolderNames,
  suggestedNames,
} from '../../src/adapters/web/archive-names.js';
import { nameExamples } from '../../src/adapters/web/help/help-examples.js';
import { parseArchiveName, parseDirectoryName } from '../../src/domain/index.js';

describe('The names suggested by the upload page', () => {
  it("match the help's examples", () => {
    for (const { fileName, project, label } of nameExamples) {
      assert.deepEqual(suggestedNames(fileName), { project, version: label });
    }
  });

  it('are accepted by the server, also for file names without the suffix', () => {
    assert.deepEqual(suggestedNames('my-project-1.0.0.zip'), { project: 'my-project', version: '1.0.0' });
    assert.deepEqual(suggestedNames('lib-2-v3'), { project: 'lib', version: '2-v3' });
    assert.equal(parseArchiveName('lib-2-v3-docs.zip').project, 'lib');
    const preview = { project: 'my-site', version: '~pr-123' };
    assert.deepEqual(suggestedNames('my-site~pr-123-docs.zip'), preview);
    assert.deepEqual(suggestedNames('my-site~pr-123'), preview);
  });

  it('include names that the server would refuse, so that people correct them', () => {
    assert.deepEqual(suggestedNames('my site-1.0-docs.zip'), { project: 'my site', version: '1.0' });
    assert.deepEqual(suggestedNames('my-site-latest-DOCS.ZIP'), { project: 'my-site', version: 'latest' });
  });

  it('are empty where any would be a mere guess', () => {
    for (const name of ['html', 'site.zip', 'my-site.zip', 'build-output']) {
      assert.equal(suggestedNames(name), undefined, name);
    }
  });

  it("include a folder's name as the project, unless it is an output folder of a builder", () => {
    assert.deepEqual(suggestedFolderNames('my-site-1.0'), { project: 'my-site', version: '1.0' });
    assert.deepEqual(suggestedFolderNames('My Handbook!'), { project: 'My-Handbook' });
    for (const name of ['_build', 'html', 'Public', '...']) {
      assert.equal(suggestedFolderNames(name), undefined, name);
    }
  });
});

describe('The faults shown by the upload page', () => {
  it('cover names that the server would refuse, or parse otherwise', () => {
    const textOf = (signs: string) =>
      fc.oneof(
        fc.string({ unit: fc.constantFrom(...signs), maxLength: 6 }),
        fc.constantFrom('a'.repeat(100), 'a'.repeat(101), 'latest', 'Latest', 'docs.zip', '1.0'),
      );
    const version = fc.tuple(fc.constantFrom('', '', '~'), textOf('aZ09._-+/ é')).map((two) => two.join(''));
    fc.assert(
      fc.property(textOf('aZ0._-+/ é'), version, (project, version) => {
        const isPreview = version.startsWith('~');
        const read = parseDirectoryName(isPreview ? project + version : `${project}-${version}`);
        const isTaken = read?.project === project && read.label === version.slice(isPreview ? 1 : 0);
        assert.deepEqual(idOf({ project, version }), isTaken ? read : undefined);
        const faults = Object.values(faultsOf({ project, version }));
        assert.equal(
          faults.every((fault) => fault === undefined),
          isTaken,
          `${project} ${version}`,
        );
      }),
      { numRuns: 3_000 },
    );
  });

  for (const [project, version, faults] of [
    ['', '', { project: 'name the project', version: 'name the version' }],
    [
      'my site',
      '1/0',
      { project: "a project may not contain ' '; use my-site", version: "a version may not contain '/'" },
    ],
    ['my-site', 'feature/login', { version: "a version may not contain '/'; use feature_login" }],
    [
      'my-site',
      '~feature/login',
      { version: "after '~', a preview's name may not contain '/'; use feature-login" },
    ],
    ['a', 'b-1.0', { names: "together they would be read back as version '1.0' of 'a-b'; use b_1.0" }],
  ] as const) {
    it(`include the faults of '${project}' and '${version}', each at its field`, () =>
      assert.deepEqual(
        faultsOf({ project, version }),
        Object.assign({ project: undefined, version: undefined, names: undefined }, faults),
      ));
  }
});
