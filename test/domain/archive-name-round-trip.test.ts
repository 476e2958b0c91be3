import '../support/long-runs.js';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  archiveNameOf,
  directoryNameOfArchive,
  parseArchiveName,
  parseDirectoryName,
  type VersionId,
  versionIdOf,
} from '../../src/domain/index.js';
import { anyLabel, projectName } from './labels.js';

/** Version that a directory name can denote. */
const versionId: fc.Arbitrary<VersionId> = fc
  .tuple(projectName, anyLabel)
  .map(([project, label]) => parseDirectoryName(`${project}-${label}`))
  .filter((id) => id !== undefined);

describe('A directory name', () => {
  it('denotes one version and no other, wherever it could be split', () => {
    fc.assert(
      fc.property(versionId, (id) => {
        const cuts = [...id.directoryName.matchAll(/-/g)].map(({ index }) => index);
        const readBack = cuts
          .map((at) => versionIdOf(id.directoryName.slice(0, at), id.directoryName.slice(at + 1)))
          .filter((other) => other !== undefined);
        assert.deepEqual(readBack, [id]);
      }),
      { numRuns: 3000 },
    );
  });

  it('parses back to its pair, or the pair is invalid', () => {
    fc.assert(
      fc.property(projectName, anyLabel, (project, label) => {
        const named = versionIdOf(project, label);
        const read = parseDirectoryName(`${project}-${label}`);
        const readsBack = read?.project === project && read.label === label;
        assert.deepEqual(named, readsBack ? read : undefined);
      }),
      { numRuns: 3000 },
    );
  });

  it('is recovered from the name of its archive', () => {
    fc.assert(
      fc.property(versionId, (id) => {
        const fileName = archiveNameOf(id.directoryName);
        assert.equal(directoryNameOfArchive(fileName), id.directoryName);
        if (fileName.length <= 200) assert.deepEqual(parseArchiveName(fileName), id);
      }),
      { numRuns: 2000 },
    );
  });

  it('never equals the name of an archive, so that no version replaces another one’s archive', () => {
    const suffixed = fc
      .tuple(
        projectName,
        anyLabel,
        fc.constantFrom('-docs.zip', '-DOCS.zip', '.docs.zip', '-docs.zip.1', '-latest-docs.zip'),
      )
      .map((parts) => `${parts[0]}-${parts[1]}${parts[2]}`);
    fc.assert(
      fc.property(
        fc.oneof(
          suffixed,
          projectName.map((name) => `${name}-docs.zip`),
        ),
        (name) => {
          const id = parseDirectoryName(name);
          assert.ok(id === undefined || !/-docs\.zip$/i.test(id.directoryName), name);
        },
      ),
      { numRuns: 3000 },
    );
  });

  it("never equals a project's alias, so that no version replaces another project’s latest", () => {
    fc.assert(
      fc.property(projectName, fc.constantFrom('latest', 'Latest', 'LATEST'), (project, latest) => {
        assert.equal(parseDirectoryName(`${project}-${latest}`), undefined);
      }),
      { numRuns: 2000 },
    );
  });

  it('names nothing in an API path whose halves do not parse back to themselves', () => {
    assert.equal(versionIdOf('a', 'b-1.0'), undefined);
    assert.deepEqual(versionIdOf('a-b', '1.0'), { project: 'a-b', label: '1.0', directoryName: 'a-b-1.0' });
    assert.equal(versionIdOf('a', 'latest'), undefined);
    assert.equal(versionIdOf('lib', '2-1.0.0'), undefined);
    assert.equal(versionIdOf('a/b', '1.0'), undefined);
    assert.equal(versionIdOf('..', '1.0'), undefined);
    assert.equal(versionIdOf('', '1.0'), undefined);
    assert.equal(versionIdOf('a', ''), undefined);
    assert.equal(versionIdOf('__proto__', '1.0'), undefined);
  });
});

describe('The suffix of an archive', () => {
  it('is exactly -docs.zip', () => {
    assert.equal(directoryNameOfArchive('a-1.0-docs.zip'), 'a-1.0');
    assert.equal(directoryNameOfArchive('a-latest-docs.zip'), 'a-latest');
    assert.equal(directoryNameOfArchive('a-1.0-DOCS.zip'), undefined);
    assert.equal(directoryNameOfArchive('a-1.0'), undefined);
    assert.equal(directoryNameOfArchive('docs.zip'), undefined);
  });
});
