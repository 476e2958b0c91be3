import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ConfigFileError, parseAccessFile, readAccessFile } from '../../src/adapters/json/index.js';

describe('An access file', () => {
  it('says who may read the projects that a name or a pattern stands for', () => {
    const rules = parseAccessFile(
      '\uFEFF{"default":"public","projects":{"payments-*":{"people":["ann@example.org"],"groups":["payments"]},"handbook":"signed-in"}}',
    );
    assert.equal(rules.default, 'public');
    assert.deepEqual(
      [...rules.projects],
      [
        ['payments-*', { people: new Set(['ann@example.org']), groups: new Set(['payments']) }],
        ['handbook', 'signed-in'],
      ],
    );
    assert.deepEqual(parseAccessFile('{"default":{"groups":["staff"]}}'), {
      default: { people: new Set(), groups: new Set(['staff']) },
      projects: new Map(),
    });
  });

  const AUDIENCE = 'expected "public", "signed-in" or an object with "people" or "groups"';
  const FAULTS: readonly (readonly [text: string, ...faults: readonly string[]])[] = [
    ['', 'the file: expected JSON, with an object that has "default"'],
    ['[]', 'the file: expected JSON, with an object that has "default"'],
    ['{', 'the file: expected JSON, with an object that has "default"'],
    ['{}', `default: ${AUDIENCE}`],
    ['{"default":"private"}', `default: ${AUDIENCE}`],
    ['{"default":{}}', `default: ${AUDIENCE}`],
    ['{"default":null}', `default: ${AUDIENCE}`],
    ['{"default":"public","project":{}}', 'project: unknown field'],
    ['{"default":"public","projects":[]}', 'projects: expected an object'],
    [
      '{"default":"public","projects":{"*":"public"}}',
      `projects["*"]: '*' alone names no project; 'default' is for all others`,
    ],
    [
      '{"default":"public","projects":{"a*b":"public"}}',
      `projects["a*b"]: expected one '*' at most, at the end: 'payments-*' is every project that begins with 'payments-'`,
    ],
    [
      '{"default":"public","projects":{"a b":"public","-*":"public"}}',
      'projects["a b"]: no project has such a name',
      'projects["-*"]: no project has such a name',
    ],
    [
      '{"default":"public","projects":{"a":true,"b":{"person":["x"]}}}',
      `projects.a: ${AUDIENCE}`,
      'projects.b.person: unknown field',
    ],
    [
      '{"default":"public","projects":{"__proto__":"public"}}',
      'projects.__proto__: no project has such a name',
    ],
    ['{"default":{"people":"ann"}}', 'default.people: expected an array'],
    [
      '{"default":{"groups":["", 1, " a", "a,b", "a\\u0000"]}}',
      ...[0, 1, 2, 3, 4].map(
        (at) => `default.groups[${at}]: expected a name, without commas and white space around it`,
      ),
    ],
  ];
  for (const [text, ...faults] of FAULTS) {
    it(`is refused with every fault: ${text}`, () => {
      assert.throws(
        () => parseAccessFile(text),
        (error: unknown) => {
          assert.ok(error instanceof ConfigFileError);
          assert.deepEqual(error.faults, faults);
          return true;
        },
      );
    });
  }

  it('is read as a whole up to 1 MiB, and refused beyond', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'lectern-test-'));
    try {
      const file = join(directory, 'access.json');
      await writeFile(file, 'x'.repeat(1024 * 1024));
      assert.equal((await readAccessFile(file)).length, 1024 * 1024);
      await writeFile(file, 'x'.repeat(1024 * 1024 + 1));
      await assert.rejects(readAccessFile(file), /the file: larger than 1048576 bytes/);
      await assert.rejects(readAccessFile(join(directory, 'none')), { code: 'ENOENT' });
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});
