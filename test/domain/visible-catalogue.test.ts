import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  ANYBODY,
  Catalogue,
  isListed,
  NO_SETTINGS,
  readerOnHostOf,
  type Version,
  type VisibleCatalogue,
  withAlias,
  withHidden,
} from '../../src/domain/index.js';
import { makePreview, makeVersion } from './make-version.js';

const NOW = new Date('2026-02-01T12:00:00Z');
const LATER = new Date('2026-02-01T13:00:00Z');
const ENDS = { expiresAt: new Date('2026-02-01T12:30:00Z') };

const namesOf = (versions: readonly Version[]) => versions.map(({ directoryName }) => directoryName).sort();

describe('The visible catalogue of a reader', () => {
  const catalogue = Catalogue.of([
    ...['1.0', '2.0', '3.0'].map((label) => makeVersion('a', label)),
    ...['1.0', '2.0'].map((label) => makeVersion('b', label)),
    makeVersion('unlisted', '1.0'),
    makePreview('a', 'ending', ENDS),
    makePreview('a', 'lasting'),
    makePreview('b', 'lasting'),
    makePreview('alone', 'lasting'),
  ]).changed({
    settings: [
      ['a', withAlias(withHidden(NO_SETTINGS, '2.0', true), 'old', '2.0')],
      ['unlisted', withHidden(NO_SETTINGS, '1.0', true)],
    ],
  });

  it('is the same object for readers with equal rights, until a change or the end of a preview', () => {
    const seen = catalogue.seenBy(ANYBODY, NOW);
    assert.equal(catalogue.seenBy(ANYBODY, NOW), seen);
    assert.equal(catalogue.seenBy({ rights: '*', maySee: () => true }, NOW), seen);
    const onHost = catalogue.seenBy(readerOnHostOf('a'), NOW);
    assert.equal(catalogue.seenBy(readerOnHostOf('a'), NOW), onHost);
    assert.notEqual(catalogue.seenBy(readerOnHostOf('b'), NOW), onHost);
    const later = catalogue.seenBy(ANYBODY, LATER);
    assert.notEqual(later, seen);
    assert.equal(catalogue.seenBy(ANYBODY, LATER), later);
    assert.notEqual(catalogue.changed({ come: [makeVersion('b', '3.0')] }).seenBy(ANYBODY, NOW), seen);
  });

  it('is cached for a hundred kinds of readers, the least recent dropped first', () => {
    const { empty } = Catalogue;
    const crowd = empty.changed({ come: [makeVersion('a', '1.0')] });
    const views = Array.from({ length: 100 }, (_, at) => crowd.seenBy(readerOnHostOf(`p${at}`), NOW));
    assert.equal(crowd.seenBy(readerOnHostOf('p0'), NOW), views[0]);
    crowd.seenBy(ANYBODY, NOW);
    assert.equal(crowd.seenBy(readerOnHostOf('p0'), NOW), views[0]);
    assert.equal(crowd.seenBy(readerOnHostOf('p99'), NOW), views[99]);
    assert.notEqual(crowd.seenBy(readerOnHostOf('p1'), NOW), views[1]);
  });

  it('lacks a preview from its end on', () => {
    const [seen, later] = [NOW, LATER].map((at) => catalogue.seenBy(ANYBODY, at));
    assert.deepEqual(namesOf(seen?.previews.of('a') ?? []), ['a~ending', 'a~lasting']);
    assert.equal(seen?.named('a', '~ending')?.version.label, 'ending');
    assert.deepEqual(namesOf(later?.previews.of('a') ?? []), ['a~lasting']);
    assert.equal(later?.named('a', '~ending'), undefined);
    assert.equal(later?.locate('a~ending'), undefined);
  });

  it('has a hidden version by its name and its aliases, and in no list', () => {
    const seen = catalogue.seenBy(ANYBODY, NOW);
    for (const name of ['a-2.0', 'a-old']) assert.equal(seen.resolve(name)?.label, '2.0', name);
    assert.equal(seen.named('a', '2.0')?.version.label, '2.0');
    assert.deepEqual(
      seen.listed.map(({ directoryName, listed }) => [directoryName, ...listed.map(({ label }) => label)]),
      [
        ['a', '1.0', '3.0'],
        ['b', '1.0', '2.0'],
      ],
    );
    assert.equal(seen.project('unlisted')?.versions.length, 1);
    assert.equal(seen.listedProject('unlisted'), undefined);
    assert.equal(seen.listedProject('a'), seen.project('a'));
    const isListedIn = (name: string) => isListed(seen.locate(name) ?? assert.fail(name));
    assert.deepEqual(['a-1.0', 'a-2.0', 'a-old', 'a~lasting'].map(isListedIn), [true, false, false, false]);
  });

  it("has only the project on a project's host", () => {
    const asked = fc.constantFrom(
      ...['a-1.0', 'a-2.0', 'a-old', 'a-latest', 'a~lasting', 'b-1.0', 'b-latest', 'b~lasting'],
      ...['a', 'b', 'alone', 'alone~lasting', 'unlisted', 'unlisted-latest', 'nothing', ''],
    );
    const all = catalogue.seenBy(ANYBODY, NOW);
    fc.assert(
      fc.property(fc.constantFrom('a', 'b', 'alone', 'nothing', undefined), asked, (project, name) => {
        const seen = catalogue.seenBy(readerOnHostOf(project), NOW);
        const isOwn = (each: { readonly project: string } | undefined) => each?.project === project;
        const found = all.locate(name);
        assert.deepEqual(seen.locate(name), isOwn(found?.version) ? found : undefined);
        assert.equal(seen.version(name), isOwn(all.version(name)) ? all.version(name) : undefined);
        assert.equal(seen.project(name), name === project ? all.project(name) : undefined);
        for (const inside of ['1.0', 'old', 'latest', '~lasting']) {
          assert.deepEqual(seen.named(name, inside), name === project ? all.named(name, inside) : undefined);
        }
        assert.deepEqual(
          seen.projects,
          all.projects.filter(({ directoryName }) => directoryName === project),
        );
        assert.deepEqual(
          seen.listed,
          all.listed.filter(({ directoryName }) => directoryName === project),
        );
        assert.ok(seen.previews.all().every(isOwn));
      }),
    );
  });

  it('is a distinct type: code that answers readers from a whole catalogue does not compile', () => {
    const answer = (seen: VisibleCatalogue) => seen.projects.length;
    // @ts-expect-error It has previews that have ended, and projects that are not for everybody.
    assert.equal(answer(catalogue), 3);
  });
});
