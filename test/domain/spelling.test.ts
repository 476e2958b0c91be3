import '../support/long-runs.js';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  fold,
  parseArchiveName,
  parseDirectoryName,
  refuseSpelling,
  spellingsOf,
  type VersionId,
  whyNotSpelled,
} from '../../src/domain/index.js';

const idOf = (name: string): VersionId => parseDirectoryName(name) ?? assert.fail(name);
const codeOf = (name: string, ...existing: string[]) => whyNotSpelled(idOf(name), existing.map(idOf))?.code;

describe('A file system that ignores case', () => {
  it('accepts a new version, or a replacement in the existing spelling', () => {
    assert.equal(codeOf('lib-1.0.0'), undefined);
    for (const name of ['Lib-1.0.0', 'Lib-2.0.0', 'lib-core-1.0.0', 'libs-1.0.0', 'other-1.0.0']) {
      assert.equal(codeOf(name, 'Lib-1.0.0'), undefined, name);
    }
  });

  it("refuses a project's name in another spelling, with or without the same version", () => {
    assert.equal(codeOf('lib-1.0.0', 'Lib-1.0.0'), 'project_not_allowed');
    assert.equal(codeOf('lib-2.0.0', 'Lib-1.0.0'), 'project_not_allowed');
    assert.equal(codeOf('LIB-CORE-main', 'lib-core-1.0.0'), 'project_not_allowed');
  });

  it("refuses a version's name in another spelling", () => {
    assert.equal(codeOf('lib-1.0-RC1', 'lib-1.0-rc1'), 'version_exists');
    assert.equal(codeOf('lib-MAIN', 'lib-main', 'lib-1.0'), 'version_exists');
  });

  it('refuses with the existing spelling in the sentence', () => {
    const existing = [idOf('Lib-1.0.0-rc1')];
    assert.equal(
      whyNotSpelled(idOf('lib-1.0.0-rc1'), existing)?.message,
      "'Lib-1.0.0-rc1' exists, and the file system of this server ignores case, so 'lib-1.0.0-rc1' cannot be created; upload to project 'Lib', with a token that may change it",
    );
    assert.match(
      whyNotSpelled(idOf('lib-2.0'), existing)?.message ?? '',
      /^'Lib' exists, .* 'lib' cannot be created; /,
    );
    assert.equal(
      whyNotSpelled(idOf('Lib-1.0.0-RC1'), existing)?.message,
      "'Lib-1.0.0-rc1' exists, and the file system of this server ignores case, so 'Lib-1.0.0-RC1' cannot be created; use the existing spelling, or delete that version first",
    );
  });

  it('keeps two projects that exist in two spellings, each with its own versions', () => {
    assert.equal(codeOf('lib-3.0', 'Lib-1.0', 'lib-2.0'), undefined);
    assert.equal(codeOf('lib-2.0', 'Lib-1.0', 'lib-2.0'), undefined);
    assert.equal(codeOf('lib-1.0', 'Lib-1.0', 'lib-2.0'), 'project_not_allowed');
  });

  it("refuses a name that equals another project's in lower case", () => {
    assert.deepEqual(
      [idOf('log-V2-1.0').project, idOf('log-v2-1.0').project],
      ['log-V2', 'log'],
      'they are read apart',
    );
    assert.equal(codeOf('log-V2-1.0'), 'invalid_filename');
    assert.equal(codeOf('log-V2-1.0.0'), undefined);
    assert.equal(codeOf('log-v2-1.0', 'log-V2-1.0'), 'project_not_allowed');
    assert.equal(codeOf('log-V2-1.0', 'log-V2-1.0'), undefined, 'it was copied in');
  });

  it('refuses a name taken on disk by something other than a version', () => {
    assert.equal(refuseSpelling(idOf('kit-1.0'), '\u212Ait-1.0').code, 'version_exists');
  });

  it('never gives a project a name that another one can have', () => {
    const part = fc.constantFrom('a', 'A', 'v2', 'V2', '1.0', '1.0.0', 'rc', 'RC', 'main', 'latest');
    const name = fc.array(part, { minLength: 2, maxLength: 4 }).map((parts) => parts.join('-'));
    fc.assert(
      fc.property(fc.array(name, { maxLength: 8 }), (names) => {
        const versions: VersionId[] = [];
        for (const candidate of names) {
          const id = parseDirectoryName(candidate);
          if (id === undefined || whyNotSpelled(id, versions) !== undefined) continue;
          assert.deepEqual(parseArchiveName(`${candidate}-docs.zip`), id);
          if (!versions.some(({ directoryName }) => directoryName === candidate)) versions.push(id);
        }
        const folded = (values: readonly string[]) => new Set(values.map(fold)).size;
        assert.equal(folded(versions.map(({ directoryName }) => directoryName)), versions.length);
        const projects = [...new Set(versions.map(({ project }) => project))];
        assert.equal(folded(projects), projects.length);
        for (const { directoryName, project } of versions) {
          assert.equal(fold(idOf(directoryName.toLowerCase()).project), fold(project));
          const key = spellingsOf(directoryName);
          assert.equal(spellingsOf(directoryName.toUpperCase()), key);
          assert.equal(spellingsOf(key), key);
          assert.equal(parseDirectoryName(key), undefined);
          for (const other of versions) {
            assert.equal(spellingsOf(other.directoryName) === key, fold(other.project) === fold(project));
          }
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
