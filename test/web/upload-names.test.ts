import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { nameExamples } from '../../src/adapters/web/help/help-examples.js';
import { publicDirectory } from '../../src/adapters/web/index.js';
import { parseArchiveName, parseDirectoryName } from '../../src/domain/index.js';

interface Names {
  readonly project: string;
  readonly version: string;
}

const { splitName, joinedName, suggestedNames, projectFault, versionFault } = (await import(
  `${publicDirectory}/-/assets/upload-names.js`
)) as {
  splitName: (name: string) => Names | undefined;
  joinedName: (project: string, version: string) => string;
  suggestedNames: (fileName: string) => Names | undefined;
  projectFault: (project: string) => string | undefined;
  versionFault: (version: string) => string | undefined;
};

describe('The upload page reads names', () => {
  it('as the server reads them, for every name that is one', () => {
    const piece = fc.constantFrom(
      'a',
      'B',
      'lib',
      '-',
      '-',
      '.',
      '+',
      '_',
      'v',
      '0',
      '1',
      '2',
      '01',
      'rc',
      '1.2.3',
      '~',
    );
    const name = fc.array(piece, { minLength: 1, maxLength: 14 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(name, (text) => {
        const read = parseDirectoryName(text);
        if (read === undefined) return;
        const version = (text.includes('~') ? '~' : '') + read.label;
        assert.deepEqual(splitName(text), { project: read.project, version });
        assert.equal(joinedName(read.project, version), text);
      }),
      { numRuns: 3_000 },
    );
  });

  it('as the help shows them', () => {
    for (const { fileName, project, label } of nameExamples) {
      assert.deepEqual(suggestedNames(fileName), { project, version: label });
    }
  });

  it('and suggests what the server would take, from names without the ending as well', () => {
    assert.deepEqual(suggestedNames('my-project-1.0.0.zip'), { project: 'my-project', version: '1.0.0' });
    assert.deepEqual(suggestedNames('lib-2-v3'), { project: 'lib', version: '2-v3' });
    assert.equal(parseArchiveName('lib-2-v3-docs.zip').project, 'lib');
    const preview = { project: 'my-site', version: '~pr-123' };
    assert.deepEqual(suggestedNames('my-site~pr-123-docs.zip'), preview);
    assert.deepEqual(suggestedNames('my-site~pr-123'), preview);
  });

  it('but suggests nothing where it would be a mere guess', () => {
    for (const name of ['html', 'site.zip', 'my-site.zip', 'build-output']) {
      assert.equal(suggestedNames(name), undefined, name);
    }
  });

  it('and finds a fault with a project or version alone where the server would', () => {
    // Without what makes the two of a name ambiguous: a digit behind a hyphen, and a hyphen in the version.
    const textOf = (signs: string) =>
      fc.oneof(
        fc.string({ unit: fc.constantFrom(...signs), minLength: 1, maxLength: 6 }),
        fc.constantFrom('a'.repeat(100), 'a'.repeat(101), 'latest', 'Latest'),
      );
    fc.assert(
      fc.property(textOf('aZ._-+/ é'), textOf('aZ09._+/ é'), (project, version) => {
        const isProject = parseDirectoryName(`${project}-1`)?.project === project;
        const isVersion = parseDirectoryName(`a-${version}`)?.label === version;
        assert.equal(projectFault(project) === undefined, isProject, project);
        assert.equal(versionFault(version) === undefined, isVersion, version);
        const isPreview = parseDirectoryName(`a~${version}`) !== undefined;
        assert.equal(versionFault(`~${version}`) === undefined, isPreview, version);
      }),
    );
    assert.match(versionFault('~feature/login') ?? '', /perhaps ~feature-login$/);
    assert.match(versionFault('~a-docs.zip') ?? '', /does not end with/);
  });
});
