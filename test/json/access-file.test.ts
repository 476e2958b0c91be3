import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ConfigFileError, parseAccessFile, readAccessFile } from '../../src/adapters/json/index.js';

describe('An access file', () => {
  it('lists the readers of projects by name or pattern', () => {
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
      issuers: [],
    });
  });

  const RESOURCE = 'https://docs.example.org/-/mcp/private';

  it('lists the issuers of access tokens, which are for this server by default', () => {
    const issuer = { issuer: 'https://login.example.org/realms/acme', user: 'sub' };
    const full = {
      ...issuer,
      audience: ['a', 'b'],
      groups: 'groups',
      scopes: ['docs:read'],
      require: { email_verified: true, tid: 'x' },
    };
    const text = JSON.stringify({ default: 'signed-in', people_issuers: { short: issuer, full } });
    assert.deepEqual(parseAccessFile(text, RESOURCE).issuers, [
      { name: 'short', ...issuer, audience: [RESOURCE], scopes: [], require: new Map() },
      {
        ...full,
        name: 'full',
        require: new Map<string, unknown>([
          ['email_verified', true],
          ['tid', 'x'],
        ]),
      },
    ]);
    assert.throws(() => parseAccessFile(text), {
      message: /people_issuers: expected a server with --public-url, over https/,
    });
  });

  for (const [what, entry, fault] of [
    ['an address without TLS', { issuer: 'http://login.example.org' }, 'issuer: expected the https address'],
    ['no claim of a name', { user: undefined }, 'user: expected a string'],
    ['no audience', { audience: [] }, 'audience: '],
    ['a scope with a space', { scopes: ['docs read'] }, 'scopes[0]: expected a scope'],
    ['tokens that never end', { scopes: ['offline_access'] }, 'scopes[0]: expected a scope of this server'],
    ['an address that nobody has verified', { user: 'email' }, 'require: expected "email_verified": true'],
    ['a list of values', { require: { a: ['x'] } }, 'require.a: expected a string'],
    ['a field that is unknown', { audiences: 'x' }, 'audiences: unknown field'],
  ] as const) {
    it(`refuses an issuer of people with ${what}`, () => {
      const people_issuers = { company: { issuer: 'https://login.example.org', user: 'sub', ...entry } };
      const text = JSON.stringify({ default: 'public', people_issuers });
      assert.throws(
        () => parseAccessFile(text, RESOURCE),
        (error: Error) => error.message.includes(`people_issuers.company.${fault}`),
      );
    });
  }

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
      `projects["*"]: '*' alone is not allowed; use 'default' for all other projects`,
    ],
    [
      '{"default":"public","projects":{"a*b":"public"}}',
      `projects["a*b"]: expected at most one '*', at the end: 'payments-*' matches all projects that begin with 'payments-'`,
    ],
    [
      '{"default":"public","projects":{"a b":"public","-*":"public"}}',
      'projects["a b"]: not a project name',
      'projects["-*"]: not a project name',
    ],
    [
      '{"default":"public","projects":{"a":true,"b":{"person":["x"]}}}',
      `projects.a: ${AUDIENCE}`,
      'projects.b.person: unknown field',
    ],
    ['{"default":"public","projects":{"__proto__":"public"}}', 'projects.__proto__: not a project name'],
    ['{"default":{"people":"ann"}}', 'default.people: expected an array'],
    [
      '{"default":{"groups":["", 1, " a", "a,b", "a\\u0000"]}}',
      ...[0, 1, 2, 3, 4].map(
        (at) => `default.groups[${at}]: expected a name without commas or surrounding white space`,
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

  it('is read up to 1 MiB, and refused beyond', async () => {
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
