import '../support/long-runs.js';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Catalogue, parseDirectoryName, type Version } from '../../src/domain/index.js';
import { anyLabel, projectName } from './labels.js';
import { makeVersion } from './make-version.js';

const version: fc.Arbitrary<Version> = fc
  .tuple(
    fc.oneof(fc.constantFrom('a', 'a-b', 'lib', 'lib-2', 'constructor'), projectName),
    anyLabel,
    fc.nat(5),
  )
  .map(([project, label, day]) => {
    const id = parseDirectoryName(`${project}-${label}`);
    return id && makeVersion(id.project, id.label, { publishedAt: new Date(Date.UTC(2026, 0, 1 + day)) });
  })
  .filter((made) => made !== undefined);

/** Additions, replacements and removals, the removals mostly of what is there. */
const changes = fc.array(fc.tuple(fc.constantFrom('with', 'with', 'without'), version, fc.nat()), {
  maxLength: 30,
});

/** Everything that can be asked of a catalogue, in one plain object. */
function contents(catalogue: Catalogue): unknown {
  return catalogue.projects.map(({ directoryName, name, versions, latest }) => ({
    directoryName,
    name,
    versions,
    latest,
  }));
}

function catalogueOf(...directoryNames: readonly string[]): Catalogue {
  return Catalogue.of(
    directoryNames.map((name) => {
      const id = parseDirectoryName(name);
      assert.ok(id, name);
      return makeVersion(id.project, id.label);
    }),
  );
}

describe('a catalogue', () => {
  it('is the same after any changes as one that is built anew from what is left', () => {
    fc.assert(
      fc.property(changes, (steps) => {
        let catalogue = Catalogue.empty;
        const left = new Map<string, Version>();
        for (const [step, made, nth] of steps) {
          if (step === 'with') {
            catalogue = catalogue.changed({ come: [made] });
            left.set(made.directoryName, made);
          } else {
            const gone = [...left.values()][nth % Math.max(left.size, 1)] ?? made;
            catalogue = catalogue.changed({ gone: [gone] });
            left.delete(gone.directoryName);
          }
        }
        assert.deepEqual(contents(catalogue), contents(Catalogue.of(left.values())));
        for (const [name, made] of left) assert.equal(catalogue.version(name), made);
      }),
      { numRuns: 500 },
    );
  });

  it('never changes: a change makes another one', () => {
    fc.assert(
      fc.property(fc.array(version, { maxLength: 8 }), version, (versions, another) => {
        const catalogue = versions.reduce((made, one) => made.changed({ come: [one] }), Catalogue.empty);
        const before = contents(catalogue);
        catalogue.changed({ come: [another] });
        catalogue.changed({ gone: [another] });
        for (const one of versions) catalogue.changed({ gone: [one] });
        assert.deepEqual(contents(catalogue), before);
      }),
    );
    assert.deepEqual(Catalogue.empty.projects, []);
  });

  it('shares the projects that a change does not touch', () => {
    const before = catalogueOf('a-1.0', 'b-1.0');
    assert.equal(before.changed({ come: [makeVersion('a', '2.0')] }).project('b'), before.project('b'));
    assert.equal(before.changed({ gone: [makeVersion('a', '1.0')] }).project('b'), before.project('b'));
  });

  it('stays the very same object when what is taken away was not there', () => {
    const catalogue = catalogueOf('a-1.0');
    assert.equal(catalogue.changed({ gone: [makeVersion('a', '2.0')] }), catalogue);
    assert.equal(catalogue.changed({ gone: [makeVersion('b', '1.0')] }), catalogue);
  });

  it('replaces a version by its namesake', () => {
    const old = makeVersion('a', '1.0');
    const young = makeVersion('a', '1.0', { publishedAt: new Date('2026-02-02') });
    const catalogue = Catalogue.empty.changed({ come: [old] }).changed({ come: [young] });
    assert.deepEqual(catalogue.project('a')?.versions, [young]);
  });

  it('lists projects by directory name, code unit by code unit', () => {
    const catalogue = catalogueOf('b-1.0', 'a-b-1.0', 'B-1.0', 'a-1.0', 'a.b-1.0', 'a0-1.0');
    assert.deepEqual(
      catalogue.projects.map(({ directoryName }) => directoryName),
      ['B', 'a', 'a-b', 'a.b', 'a0', 'b'],
    );
  });

  it('loses a project with its last version', () => {
    const catalogue = catalogueOf('a-1.0', 'a-2.0')
      .changed({ gone: [makeVersion('a', '1.0')] })
      .changed({ gone: [makeVersion('a', '2.0')] });
    assert.equal(catalogue.project('a'), undefined);
    assert.equal(catalogue.resolve('a-latest'), undefined);
    assert.deepEqual(catalogue.projects, []);
  });

  it('keeps a-b apart from a: neither finding nor removing one reaches the other', () => {
    const catalogue = catalogueOf('a-1.0', 'a-b-1.0');
    assert.equal(catalogue.version('a-b-1.0')?.project, 'a-b');
    assert.equal(catalogue.changed({ gone: [makeVersion('a', 'b-1.0')] }).version('a-b-1.0')?.project, 'a-b');
    const without = catalogue.changed({ gone: [makeVersion('a', '1.0')] });
    assert.equal(without.version('a-b-1.0')?.project, 'a-b');
    assert.equal(without.project('a'), undefined);
  });

  it('finds nothing under names that every object knows', () => {
    const catalogue = catalogueOf('a-1.0');
    for (const name of ['__proto__', 'constructor', 'toString', '']) {
      assert.equal(catalogue.project(name), undefined);
      assert.equal(catalogue.version(name), undefined);
      assert.equal(catalogue.resolve(`${name}-latest`), undefined);
    }
    assert.equal(catalogueOf('constructor-1.0').resolve('constructor-latest')?.label, '1.0');
  });
});

describe('an alias', () => {
  it('stands for the latest version of its project', () => {
    const catalogue = catalogueOf('a-1.0', 'a-2.0-rc1', 'a-b-3.0');
    assert.equal(catalogue.resolve('a-latest')?.directoryName, 'a-1.0');
    assert.equal(catalogue.resolve('a-b-latest')?.directoryName, 'a-b-3.0');
  });

  it('follows its project', () => {
    const catalogue = catalogueOf('a-1.0').changed({ come: [makeVersion('a', '2.0')] });
    assert.equal(catalogue.resolve('a-latest')?.label, '2.0');
    assert.equal(catalogue.changed({ gone: [makeVersion('a', '2.0')] }).resolve('a-latest')?.label, '1.0');
  });

  it('is no version', () => {
    assert.equal(catalogueOf('a-1.0').version('a-latest'), undefined);
  });

  it('is written in small letters, behind the exact name of a project', () => {
    const catalogue = catalogueOf('a-1.0');
    for (const name of [
      'a-Latest',
      'A-latest',
      'a-b-latest',
      'latest',
      '-latest',
      'a-latest-latest',
      'a-1.0-latest',
      'alatest',
    ]) {
      assert.equal(catalogue.resolve(name), undefined, name);
    }
  });

  it('cannot be taken over by a version of another project', () => {
    fc.assert(
      fc.property(fc.array(version, { minLength: 1, maxLength: 12 }), (versions) => {
        const catalogue = Catalogue.of(new Map(versions.map((one) => [one.directoryName, one])).values());
        for (const project of catalogue.projects) {
          assert.equal(catalogue.resolve(`${project.directoryName}-latest`), project.latest);
        }
      }),
      { numRuns: 500 },
    );
  });
});
