import '../support/long-runs.js';
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  ANYBODY,
  Catalogue,
  HostTable,
  hostLabelOf,
  NO_SETTINGS,
  parseDirectoryName,
  shortHash,
  withAlias,
} from '../../src/domain/index.js';
import { anyLabel, projectName } from './labels.js';
import { makeVersion } from './make-version.js';

const sha256 = (text: string) => createHash('sha256').update(text).digest();
const hash = (text: string) => shortHash(sha256(text));
const labelOf = (name: string) => hostLabelOf(name, hash);
const HASH = '[bcdfghjklmnpqrstvwxz2456789]{12}';

/** Names of versions, previews and latest versions, many of them alike but for what a host name can't hold. */
const alike = fc
  .array(
    fc.constantFrom('a', 'A', '1', 'v1', '2', 'xn', '-', '--', '.', '_', '+', '~', 'latest', 'preview'),
    {
      minLength: 3,
      maxLength: 9,
    },
  )
  .map((parts) => parts.join(''));
const long = fc
  .tuple(
    fc.stringMatching(/^[a-z0-9]{25,95}$/),
    fc.constantFrom('-', '~'),
    fc.stringMatching(/^[a-z0-9]{15,90}$/),
  )
  .map((parts) => parts.join(''));
const anyName = fc.oneof(
  fc.tuple(projectName, anyLabel).map((parts) => parts.join('-')),
  fc.tuple(projectName, projectName).map((parts) => parts.join('~')),
  projectName.map((name) => `${name}-latest`),
  alike,
  long,
);
const directoryName = anyName.filter((name) => labelOf(name) !== undefined);

describe('The host of a version', () => {
  it('joins its version and its project, with dashes for the dots', () => {
    for (const [name, label] of [
      ['flask-latest', 'flask'],
      ['flask-2.1.0', '2-1-0--flask'],
      ['flask-v2.1.0rc1', 'v2-1-0rc1--flask'],
      ['flask-2.x', '2-x--flask'],
      ['my-project-1.0', '1-0--my-project'],
      ['tool-main', 'main--tool'],
      ['flask~pr-123', 'pr-123--preview--flask'],
      ['flask~1.0', '1-0--preview--flask'],
      ['lib-2-latest', 'lib-2'],
      ['flask~my-latest', 'my-latest--preview--flask'],
    ]) {
      assert.equal(labelOf(name ?? ''), label, name);
    }
  });

  it('ends with a hash where the label differs from the name', () => {
    for (const [name, pattern] of [
      ['my_lib-latest', `my-lib-${HASH}`],
      ['Flask-latest', `flask-${HASH}`],
      ['a--b-latest', `a-b-${HASH}`],
      ['socket.io-1.0', `1-0--socket-io-${HASH}`],
      ['flask-2024-01-15', `2024-01-15-${HASH}--flask`],
      ['flask-1.0.0-rc.1', `1-0-0-rc-1-${HASH}--flask`],
      ['flask-1.0+b5', `1-0-b5-${HASH}--flask`],
      ['tool-xn', `xn-${HASH}--tool`],
      ['tool~xn', `xn-${HASH}--preview--tool`],
      ['xn-latest', `xn-${HASH}`],
      ['flask-2.1.bcdfghjklmnp', `2-1-bcdfghjklmnp-${HASH}--flask`],
      [`${'a'.repeat(64)}-latest`, `a{50}-${HASH}`],
      [`${'a'.repeat(31)}-1.0`, `1-0--a{17}-${HASH}`],
      [`a-${'1.2.'.repeat(20)}3`, `[12-]{46}2-${HASH}--a`],
    ]) {
      assert.match(labelOf(name ?? '') ?? '', new RegExp(`^${pattern}$`), name);
    }
    assert.equal(labelOf(`${'a'.repeat(63)}-latest`), 'a'.repeat(63));
  });

  it('exists for names of versions, previews and latest versions only', () => {
    for (const name of [
      '',
      '-',
      'flask',
      'help',
      '-latest',
      'a-1.0-docs.zip',
      'a-latest-docs.zip',
      'a b-1.0',
      'a~',
    ]) {
      assert.equal(labelOf(name), undefined, name);
    }
  });

  it('exists for every version and preview', () => {
    fc.assert(
      fc.property(anyName, (name) => {
        if (parseDirectoryName(name) !== undefined) assert.ok(labelOf(name), name);
      }),
      { numRuns: 5000 },
    );
  });

  it('is one label of a host name, whatever the name', () => {
    fc.assert(
      fc.property(directoryName, (name) => {
        const label = labelOf(name) ?? '';
        assert.match(label, /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/);
        assert.ok(label.length <= 63, label);
        assert.doesNotMatch(label, /^xn--/);
        assert.ok(URL.canParse(`https://${label}.docs.example.org/`), label);
        assert.equal(new URL(`https://${label}.docs.example.org/`).hostname, `${label}.docs.example.org`);
      }),
      { numRuns: 5000 },
    );
  });

  it('is unique to a version, preview or project', () => {
    const seen = new Map<string, string>();
    fc.assert(
      fc.property(directoryName, (name) => {
        const label = labelOf(name) ?? '';
        assert.equal(seen.get(label) ?? name, name);
        seen.set(label, name);
      }),
      { numRuns: 20_000 },
    );
  });

  it('cannot be taken by a similar name', () => {
    fc.assert(
      fc.property(directoryName, (name) => {
        const label = labelOf(name) ?? '';
        const [version = '', project] = label.split(/--(?=[^-]+(?:-[^-]+)*$)/);
        const twins =
          project === undefined ? [`${label}-latest`] : [`${project}-${version}`, `${label}-latest`];
        for (const twin of twins) if (twin !== name) assert.notEqual(labelOf(twin), label, twin);
      }),
      { numRuns: 5000 },
    );
  });

  it('is found again among all other hosts', () => {
    fc.assert(
      fc.property(fc.uniqueArray(directoryName, { maxLength: 12 }), (names) => {
        const ids = names.map((name) => parseDirectoryName(name)).filter((id) => id !== undefined);
        const catalogue = Catalogue.of(
          ids.map(({ project, label, directoryName }) => makeVersion(project, label, { directoryName })),
        );
        const table = new HostTable(catalogue.seenBy(ANYBODY, new Date()), hash);
        for (const id of ids)
          assert.equal(table.directoryAt(labelOf(id.directoryName) ?? ''), id.directoryName);
        for (const { directoryName } of catalogue.projects) {
          const latest = `${directoryName}-latest`;
          assert.equal(table.directoryAt(labelOf(latest) ?? ''), latest);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

describe('The table of hosts', () => {
  it("includes aliases, even without a target, and no host for latest beside the project's", () => {
    const settings = withAlias(withAlias(NO_SETTINGS, 'stable', '1.0'), 'latest', '1.0');
    const catalogue = Catalogue.of([makeVersion('flask', '1.0')]).changed({
      settings: [['flask', settings]],
    });
    const table = new HostTable(catalogue.seenBy(ANYBODY, new Date()), hash);
    assert.equal(table.directoryAt('stable--flask'), 'flask-stable');
    assert.equal(table.directoryAt('latest--flask'), undefined);
    assert.equal(table.directoryAt('flask'), 'flask-latest');
  });

  it('includes the previews of a project without versions, but no host for that project', () => {
    const preview = makeVersion('new', 'pr-1', { directoryName: 'new~pr-1' });
    const table = new HostTable(Catalogue.of([preview]).seenBy(ANYBODY, new Date()), hash);
    assert.equal(table.directoryAt('pr-1--preview--new'), 'new~pr-1');
    assert.equal(table.directoryAt('new'), undefined);
  });

  it('leaves out ambiguous hosts', () => {
    const catalogue = Catalogue.of([makeVersion('flask', '1.0'), makeVersion('my_lib', '1.0')]);
    const table = new HostTable(catalogue.seenBy(ANYBODY, new Date()), hash);
    for (const label of [
      '',
      '--',
      '--flask',
      '1.0--flask',
      '1-0---flask',
      '2-0--flask',
      'my-lib',
      '1-0--my-lib',
      'x--y--flask',
    ])
      assert.equal(table.directoryAt(label), undefined, label);
  });
});
