import '../support/long-runs.js';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  ANYBODY,
  Catalogue,
  HostTable,
  hostLabelOf,
  isAliasName,
  LATEST,
  NO_SETTINGS,
  type ProjectSettings,
  parseDirectoryName,
  type Version,
  whyNotPublished,
  withAlias,
} from '../../src/domain/index.js';
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

describe('A catalogue', () => {
  it('equals, after any changes, a catalogue built anew from the remaining versions', () => {
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

  it('is immutable: a change makes another one', () => {
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

  it('shares the projects unaffected by a change', () => {
    const before = catalogueOf('a-1.0', 'b-1.0');
    assert.equal(before.changed({ come: [makeVersion('a', '2.0')] }).project('b'), before.project('b'));
    assert.equal(before.changed({ gone: [makeVersion('a', '1.0')] }).project('b'), before.project('b'));
  });

  it('remains the same object when a missing version is removed', () => {
    const catalogue = catalogueOf('a-1.0');
    assert.equal(catalogue.changed({ gone: [makeVersion('a', '2.0')] }), catalogue);
    assert.equal(catalogue.changed({ gone: [makeVersion('b', '1.0')] }), catalogue);
  });

  it('replaces a version of equal name', () => {
    const old = makeVersion('a', '1.0');
    const young = makeVersion('a', '1.0', { publishedAt: new Date('2026-02-02') });
    const catalogue = Catalogue.empty.changed({ come: [old] }).changed({ come: [young] });
    assert.deepEqual(catalogue.project('a')?.versions, [young]);
  });

  it('lists projects by directory name in code unit order', () => {
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

  it('separates a-b from a when finding and removing', () => {
    const catalogue = catalogueOf('a-1.0', 'a-b-1.0');
    assert.equal(catalogue.version('a-b-1.0')?.project, 'a-b');
    assert.equal(catalogue.changed({ gone: [makeVersion('a', 'b-1.0')] }).version('a-b-1.0')?.project, 'a-b');
    const without = catalogue.changed({ gone: [makeVersion('a', '1.0')] });
    assert.equal(without.version('a-b-1.0')?.project, 'a-b');
    assert.equal(without.project('a'), undefined);
  });

  it('finds nothing under prototype names', () => {
    const catalogue = catalogueOf('a-1.0');
    for (const name of ['__proto__', 'constructor', 'toString', '']) {
      assert.equal(catalogue.project(name), undefined);
      assert.equal(catalogue.version(name), undefined);
      assert.equal(catalogue.resolve(`${name}-latest`), undefined);
    }
    assert.equal(catalogueOf('constructor-1.0').resolve('constructor-latest')?.label, '1.0');
  });
});

describe('An alias', () => {
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

  it('is written in small letters, after the exact name of a project', () => {
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

/** Projects whose names are addresses of aliases of the others. */
const nested = fc.constantFrom('a', 'a-b', 'a-b-c', 'a-lts', 'lib', 'lib-2-x');
const aliasName = fc.constantFrom('b', 'c', 'lts', '2-x', 'next', LATEST);

/** Versions that come and go, and aliases that are set and removed. */
const changesOfAliases = fc.array(
  fc.record({
    what: fc.constantFrom(
      'come' as const,
      'come' as const,
      'gone' as const,
      'alias' as const,
      'alias' as const,
    ),
    project: nested,
    label: fc.constantFrom('1.0', '2.0', 'b', 'c', 'lts'),
    alias: aliasName,
    isSet: fc.boolean(),
  }),
  { maxLength: 40 },
);

describe("An alias whose address is a project's", () => {
  const hash = (text: string) => text.length.toString().padStart(12, '0');

  it('never shows its own project there, in any order of changes', () => {
    fc.assert(
      fc.property(changesOfAliases, (steps) => {
        let catalogue = Catalogue.empty;
        for (const { what, project, label, alias, isSet } of steps) {
          const id = parseDirectoryName(`${project}-${label}`);
          if (what === 'alias' && isAliasName(project, alias)) {
            const before = catalogue.settingsOf(project);
            const settings = withAlias(before, alias, isSet ? '1.x' : undefined);
            catalogue = catalogue.changed({ settings: [[project, settings]] });
          } else if (what !== 'alias' && id?.project === project) {
            catalogue = catalogue.changed({ [what]: [makeVersion(project, label)] });
          }
        }
        for (const { directoryName: name } of catalogue.projects) {
          const shown = catalogue.resolve(name);
          if (shown !== undefined) assert.equal(shown.directoryName, name);
          const host = new HostTable(catalogue.seenBy(ANYBODY, new Date()), hash).directoryAt(
            hostLabelOf(name, hash) ?? '',
          );
          if (host === name) assert.equal(catalogue.resolve(name)?.directoryName, name);
        }
        for (const project of catalogue.projects) {
          for (const { alias, version, isShadowed } of project.aliases) {
            const address = `${project.directoryName}-${alias}`;
            const isTaken = alias !== LATEST && catalogue.project(address) !== undefined;
            assert.equal(isShadowed, isTaken, address);
            assert.equal(project.named(alias), isTaken ? undefined : version);
          }
        }
        const anew = Catalogue.empty.changed({ settings: catalogue.settings, come: catalogue.all() });
        for (const project of catalogue.projects) {
          const same = anew.project(project.directoryName);
          assert.equal(same?.revision, project.revision);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  const settings = withAlias(NO_SETTINGS, 'b', '1.0');
  const withSettings = (catalogue: Catalogue, of: ProjectSettings = settings) =>
    catalogue.changed({ settings: [['a', of]] });

  it('is shadowed in every list while the project exists, and counts again afterwards', () => {
    const before = withSettings(catalogueOf('a-1.0'));
    const during = before.changed({ come: [makeVersion('a-b', '7.0')] });
    const after = during.changed({ gone: [makeVersion('a-b', '7.0')] });
    for (const [catalogue, shown, aliases] of [
      [before, 'a-1.0', ['b']],
      [during, undefined, []],
      [after, 'a-1.0', ['b']],
    ] as const) {
      assert.equal(catalogue.resolve('a-b')?.directoryName, shown);
      assert.deepEqual(catalogue.project('a')?.aliasesOf('1.0'), aliases);
      assert.equal(catalogue.project('a')?.named('b')?.directoryName, shown);
    }
    assert.deepEqual([...(during.project('a')?.shadowed ?? [])], ['b']);
    assert.notEqual(during.project('a')?.revision, before.project('a')?.revision);
    assert.equal(after.project('a')?.revision, before.project('a')?.revision);
  });

  it("allows the publication of that project's versions", () => {
    const catalogue = withSettings(catalogueOf('a-1.0'));
    const idOf = (name: string) => parseDirectoryName(name) ?? assert.fail();
    assert.equal(whyNotPublished(catalogue, idOf('a-b-1.0'), false), undefined);
    assert.equal(whyNotPublished(catalogue, idOf('a-b~pr-1'), false), undefined);
    assert.equal(whyNotPublished(catalogue, idOf('a-b'), false)?.code, 'name_taken');
  });

  it('is not shadowed by previews, which make no project', () => {
    const preview = makeVersion('a-b', 'pr-1', { directoryName: 'a-b~pr-1' });
    const catalogue = withSettings(catalogueOf('a-1.0')).changed({ come: [preview] });
    assert.equal(catalogue.previews.of('a-b').length, 1);
    assert.equal(catalogue.resolve('a-b')?.directoryName, 'a-1.0');
  });

  it('cannot be set while the project exists', () => {
    assert.equal(catalogueOf('a-1.0', 'a-b-1.0').whyNoAlias('a', 'b')?.code, 'name_taken');
  });
});

describe('The aliases of a project', () => {
  const many = (count: number) => {
    let settings = NO_SETTINGS;
    for (let each = 0; each < count; each++) settings = withAlias(settings, `alias${each}`, '1.0');
    return catalogueOf('a-1.0').changed({ settings: [['a', settings]] });
  };

  it('number at most a hundred', () => {
    assert.equal(many(99).whyNoAlias('a', 'b'), undefined);
    assert.equal(many(100).whyNoAlias('a', 'b')?.code, 'invalid_settings');
    assert.equal(many(100).whyNoAlias('a', LATEST)?.code, 'invalid_settings');
  });
});
