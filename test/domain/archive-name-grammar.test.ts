import '../support/long-runs.js';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseArchiveName, quote, Refusal } from '../../src/domain/index.js';
import { anyString } from '../support/any-string.js';

const ACCEPTED: readonly (readonly [fileName: string, project: string, version: string])[] = [
  // The table of contract section 2.
  ['my-project-1.0.0-docs.zip', 'my-project', '1.0.0'],
  ['my-project-1.0.0-beta.1-docs.zip', 'my-project', '1.0.0-beta.1'],
  ['lib-2-1.0.0-docs.zip', 'lib-2', '1.0.0'],
  ['tls-switch-1.2.3.post.dev4-abc1234-docs.zip', 'tls-switch', '1.2.3.post.dev4-abc1234'],
  ['qt-6.8-docs.zip', 'qt', '6.8'],
  ['log4j-2.x-docs.zip', 'log4j', '2.x'],
  ['tool-v2-docs.zip', 'tool', 'v2'],
  ['tool-main-docs.zip', 'tool', 'main'],
  ['C:\\tmp\\a-1.0-docs.zip', 'a', '1.0'],
  ['../a-1.0-docs.zip', 'a', '1.0'],
  // The examples in its rules.
  ['tool-v1.2.3-docs.zip', 'tool', 'v1.2.3'],
  ['tool-1.0.0+b5-docs.zip', 'tool', '1.0.0+b5'],
  ['tool-abc1234-docs.zip', 'tool', 'abc1234'],
  // Leftmost first within each rule, and rule 1 before rule 2 before rule 3.
  ['a-1.0.0-2.0.0-docs.zip', 'a', '1.0.0-2.0.0'],
  ['a-1-2-docs.zip', 'a', '1-2'],
  ['a-2-b-1.0.0-docs.zip', 'a-2-b', '1.0.0'],
  ['a-2-b-1.0-docs.zip', 'a', '2-b-1.0'],
  ['my-tool-feature-docs.zip', 'my-tool', 'feature'],
  ['a-2024-01-15-docs.zip', 'a', '2024-01-15'],
  ['a-1.0.0+b-5-docs.zip', 'a', '1.0.0+b-5'],
  ['a-v-1.0-docs.zip', 'a-v', '1.0'],
  ['a-vnext-1.0-docs.zip', 'a-vnext', '1.0'],
  ['a-vnext-docs.zip', 'a', 'vnext'],
  ['2-3-docs.zip', '2', '3'],
  ['docs-1.0-docs.zip', 'docs', '1.0'],
  ['a-1.0-docs-docs.zip', 'a', '1.0-docs'],
  ['a-latest-1.0-docs.zip', 'a-latest', '1.0'],
  ['latest-1.0-docs.zip', 'latest', '1.0'],
  ['a-latest2-docs.zip', 'a', 'latest2'],
  ['constructor-1.0-docs.zip', 'constructor', '1.0'],
  ['a-1.0.0--docs.zip', 'a', '1.0.0-'],
  ['lib-2-1.2.20240115123456789-docs.zip', 'lib-2', '1.2.20240115123456789'],
  [`lib-2-1.0.0-${'9'.repeat(40)}-docs.zip`, 'lib-2', `1.0.0-${'9'.repeat(40)}`],
  // Base names only, whatever the system.
  ['/a-1.0-docs.zip', 'a', '1.0'],
  ['a/b\\c-1.0-docs.zip', 'c', '1.0'],
  ['a\\b/c-1.0-docs.zip', 'c', '1.0'],
  [`${'x'.repeat(5000)}/a-1.0-docs.zip`, 'a', '1.0'],
  // Limits.
  [`${'p'.repeat(100)}-${'1'.repeat(90)}-docs.zip`, 'p'.repeat(100), '1'.repeat(90)],
  [`p-${'1'.repeat(100)}-docs.zip`, 'p', '1'.repeat(100)],
];

const REFUSED: readonly (readonly [fileName: string, why: RegExp])[] = [
  // The table of contract section 2.
  ['docs.zip', /does not end with '-docs\.zip'/],
  ['-1.0-docs.zip', /a project has 1 to 100/],
  ['a-docs.zip', /no '-' between/],
  ['a-latest-docs.zip', /latest/],
  ['a-1.0.zip', /does not end with '-docs\.zip'/],
  ['a b-1.0-docs.zip', /project/],
  // The rules around it.
  ['', /does not end/],
  ['-docs.zip', /no '-' between/],
  ['--docs.zip', /a project has 1 to 100/],
  ['a--docs.zip', /a version has 1 to 100/],
  ['a-main--docs.zip', /a version has 1 to 100/],
  ['a-Latest-docs.zip', /latest/],
  ['a-LATEST-docs.zip', /latest/],
  ['_a-1.0-docs.zip', /project/],
  ['.a-1.0-docs.zip', /project/],
  ['a.-1.0-docs.zip', /project/],
  ['a--1.0-docs.zip', /project/],
  ['-a-1.0-docs.zip', /project/],
  ['__proto__-1.0-docs.zip', /project/],
  ['a-1.0-DOCS.ZIP', /does not end/],
  ['a-1.0-docs.zip ', /does not end/],
  ['a-1.0-docs.zip/', /does not end/],
  ['a-1.0-docs.zip.exe', /does not end/],
  ['a-1.0\n-docs.zip', /version/],
  ['a-1.0.0 -docs.zip', /version/],
  ['a-1.0\u0000-docs.zip', /version/],
  ['a-1!1.0-docs.zip', /version/],
  ['a-1.0%2f-docs.zip', /version/],
  ['a-\u0661.0-docs.zip', /version/],
  ['\u00e4-1.0-docs.zip', /project/],
  ['\u0430-1.0-docs.zip', /project/],
  [`${'p'.repeat(101)}-1.0-docs.zip`, /1 to 100/],
  [`p-${'1'.repeat(101)}-docs.zip`, /1 to 100/],
  [`${'p'.repeat(100)}-${'1'.repeat(91)}-docs.zip`, /longer than 200 bytes/],
  [`${'\u00e4'.repeat(96)}-docs.zip`, /longer than 200 bytes/],
  // The alias `<project>-latest` belongs to the project it names, also when that is `lib-2`.
  ['lib-2-latest-docs.zip', /latest/],
  ['a-1.0-latest-docs.zip', /latest/],
  ['a-1.0-Latest-docs.zip', /latest/],
  // `<version>-docs.zip` is where that version's archive is: no version may have such a name.
  ['a-1.0-docs.zip-docs.zip', /docs\.zip/],
  ['a-1.0-Docs.Zip-docs.zip', /docs\.zip/],
  ['tool-main-docs.zip-docs.zip', /docs\.zip/],
];

describe('The file name of an archive', () => {
  for (const [fileName, project, label] of ACCEPTED) {
    it(`is version ${shown(label)} of ${shown(project)}: ${shown(fileName)}`, () => {
      assert.deepEqual(parseArchiveName(fileName), { project, label, directoryName: `${project}-${label}` });
    });
  }

  for (const [fileName, why] of REFUSED) {
    it(`is refused with a reason: ${shown(fileName)}`, () => {
      assert.throws(
        () => parseArchiveName(fileName),
        (error: unknown) => {
          assert.ok(error instanceof Refusal);
          assert.equal(error.code, 'invalid_filename');
          const [reason = '', expected = ''] = error.message.split('; name it ');
          const start = `The file name ${quote(fileName.split(/[/\\]/).at(-1) ?? '')} `;
          assert.equal(reason.slice(0, start.length), start);
          assert.match(reason.slice(start.length), why);
          assert.match(
            expected,
            /^'<project>-<version>-docs\.zip', for example 'my-project-1\.0\.0-docs\.zip'$/,
          );
          return true;
        },
      );
    });
  }

  it('is always parsed as either a version or a refusal', () => {
    const text = fc.oneof(
      anyString({ maxLength: 300 }),
      fc.string({
        unit: fc.constantFrom('a', '1', '-', '.', 'v', '+', '/', '\\', 'latest', '-docs.zip', '\ud800'),
      }),
    );
    fc.assert(
      fc.property(text, fc.constantFrom('', '-docs.zip'), (name, suffix) => {
        try {
          const { project, label, directoryName } = parseArchiveName(name + suffix);
          assert.equal(directoryName, `${project}-${label}`);
        } catch (error) {
          assert.ok(error instanceof Refusal);
          assert.equal(error.code, 'invalid_filename');
        }
      }),
      { numRuns: 2000 },
    );
  });
});

/** Long and invisible names made fit for a title. */
function shown(text: string): string {
  const visible = JSON.stringify(text);
  return visible.length > 60 ? `${visible.slice(0, 50)}… (${text.length} characters)` : visible;
}
