import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Catalogue, TokenPolicy, type Version } from '../../src/domain/index.js';
import { makeVersion } from './make-version.js';

const at = (day: number) => new Date(Date.UTC(2026, 0, day));

function makePreview(project: string, name: string, from = 1, until?: number): Version {
  const directoryName = `${project}~${name}`;
  return makeVersion(project, name, {
    directoryName,
    revision: `${directoryName}.${from}`,
    publishedAt: at(from),
    ...(until === undefined ? {} : { expiresAt: at(until) }),
  });
}

const names = (versions: Iterable<Version>) => Array.from(versions, ({ directoryName }) => directoryName);

describe('Previews in a catalogue', () => {
  it('are listed beside the versions of their project, and never among them', () => {
    const catalogue = Catalogue.of([
      makeVersion('a', '1.0'),
      makePreview('a', '9.0'),
      makePreview('a', 'pr-1'),
    ]);
    assert.deepEqual(names(catalogue.project('a')?.versions ?? []), ['a-1.0']);
    assert.equal(catalogue.resolve('a-latest')?.directoryName, 'a-1.0');
    assert.equal(catalogue.version('a-9.0'), undefined);
    assert.equal(catalogue.locate('a~9.0')?.version.directoryName, 'a~9.0');
    assert.equal(catalogue.locate('a~9.0')?.project?.directoryName, 'a');
    assert.deepEqual(names(catalogue.all()), ['a-1.0', 'a~9.0', 'a~pr-1']);
  });

  it('make no project of their own', () => {
    const catalogue = Catalogue.of([makePreview('a', 'pr-1')]);
    assert.deepEqual(catalogue.projects, []);
    assert.equal(catalogue.project('a'), undefined);
    assert.deepEqual(catalogue.locate('a~pr-1'), { project: undefined, version: makePreview('a', 'pr-1') });
    assert.equal(catalogue.resolve('a-latest'), undefined);
  });

  it('are listed newest first, separately for each project', () => {
    const catalogue = Catalogue.of([
      makePreview('a', 'one', 1),
      makePreview('a', 'three', 3),
      makePreview('b', 'other', 9),
      makePreview('a', 'two', 2),
    ]);
    assert.deepEqual(names(catalogue.previews.of('a')), ['a~three', 'a~two', 'a~one']);
    assert.deepEqual(names(catalogue.previews.of('b')), ['b~other']);
    assert.deepEqual(catalogue.previews.of('c'), []);
  });

  it('are replaced and removed by name, and leave a version of the same label', () => {
    const before = Catalogue.of([makeVersion('a', 'x'), makePreview('a', 'x', 1)]);
    const replaced = before.changed({ come: [makePreview('a', 'x', 2)] });
    assert.deepEqual(names(replaced.all()), ['a-x', 'a~x']);
    assert.equal(replaced.version('a~x')?.revision, 'a~x.2');
    const removed = replaced.changed({ gone: [makePreview('a', 'x')] });
    assert.deepEqual(names(removed.all()), ['a-x']);
    assert.equal(removed.project('a'), before.project('a'));
    assert.equal(before.version('a~x')?.revision, 'a~x.1');
    assert.deepEqual(names(replaced.changed({ gone: [makeVersion('a', 'x')] }).all()), ['a~x']);
  });

  it('disappear from the catalogue at their end, to the millisecond', () => {
    const catalogue = Catalogue.of([
      makePreview('a', 'one', 1, 10),
      makePreview('a', 'kept'),
      makeVersion('a', '1'),
    ]);
    assert.equal(catalogue.at(new Date(at(10).getTime() - 1)), catalogue);
    assert.deepEqual(names(catalogue.at(at(10)).all()), ['a-1', 'a~kept']);
    assert.deepEqual(names(catalogue.previews.expired(at(10))), ['a~one']);
    assert.deepEqual(catalogue.previews.expired(new Date(at(10).getTime() - 1)), []);
  });

  it('give the same catalogue object until the next one ends', () => {
    const catalogue = Catalogue.of([makePreview('a', 'one', 1, 10), makePreview('b', 'two', 1, 20)]);
    const later = catalogue.at(at(11));
    assert.equal(catalogue.at(at(12)), later);
    assert.notEqual(catalogue.at(at(20)), later);
    assert.deepEqual(names(catalogue.at(at(20)).all()), []);
    assert.equal(catalogue.previews.nextEndMs, at(10).getTime());
    assert.equal(later.previews.nextEndMs, at(20).getTime());
    assert.equal(catalogue.at(at(20)).previews.nextEndMs, Number.POSITIVE_INFINITY);
  });

  it('are refused as previews when missing', () => {
    assert.equal(Catalogue.empty.whyNotFound(makePreview('a', 'x')).code, 'preview_not_found');
    assert.equal(Catalogue.empty.whyNotFound(makeVersion('a', 'x')).code, 'project_not_found');
    const catalogue = Catalogue.of([makeVersion('a', '1.0')]);
    assert.equal(catalogue.whyNotFound(makeVersion('a', 'x')).code, 'version_not_found');
  });
});

describe('The right to delete a preview', () => {
  it('belongs to every token of the project, with or without allow_delete', () => {
    assert.equal(new TokenPolicy('ci', { projects: ['a'] }).whyNotDeletePreview('a'), undefined);
    assert.equal(new TokenPolicy('ci').whyNotDeletePreview('a'), undefined);
    const other = new TokenPolicy('ci', { projects: ['b'], allowDelete: true }).whyNotDeletePreview('a');
    assert.equal(other?.code, 'project_not_allowed');
  });
});
