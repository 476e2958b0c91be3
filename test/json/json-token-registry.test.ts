import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ConfigFileError, JsonTokenRegistry } from '../../src/adapters/json/index.js';
import { EXPIRY_RULE, OWNER_CLAIM_NAMES } from '../../src/domain/index.js';
import type { RegisteredTokens } from '../contracts/subjects.js';
import { holderOf, tokenRegistryContract } from '../contracts/token-registry.js';

tokenRegistryContract('JsonTokenRegistry', (tokens) => JsonTokenRegistry.parse(write(tokens)));
tokenRegistryContract('JsonTokenRegistry with digests of the secrets', (tokens) =>
  JsonTokenRegistry.parse(write(tokens, (secret) => ({ sha256: sha256(secret) }))),
);

function write(tokens: RegisteredTokens, secretOf = (secret: string): object => ({ token: secret })): string {
  const entries = tokens.map(
    ({
      name,
      secret,
      projects,
      allowOverwrite,
      allowDelete,
      existingProjectsOnly,
      allowManage,
      expiresAt,
      previewsOnly,
      read,
      allowTokens,
    }) => {
      const entry = {
        ...secretOf(secret),
        projects,
        allow_overwrite: allowOverwrite,
        allow_delete: allowDelete,
        existing_projects_only: existingProjectsOnly,
        allow_manage: allowManage,
        previews_only: previewsOnly,
        read,
        allow_tokens: allowTokens,
        expires: expiresAt?.toISOString(),
      };
      return `${JSON.stringify(name)}: ${JSON.stringify(entry)}`;
    },
  );
  return `{ "tokens": { ${entries.join(', ')} } }`;
}

function sha256(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

const FAULTS: readonly [text: string, ...faults: string[]][] = [
  ['', 'the file: expected JSON, with an object that has the member "tokens"'],
  ['{', 'the file: expected JSON, with an object that has the member "tokens"'],
  ['null', 'the file: expected an object'],
  ['[]', 'the file: expected an object'],
  ['"tokens"', 'the file: expected an object'],
  ['{}', 'tokens: expected an object'],
  ['{"tokens": []}', 'tokens: expected an object'],
  ['{"tokens": null}', 'tokens: expected an object'],
  ['{"tokens": {}, "token": {}}', 'token: unknown field'],
  ['{"tokens": {"ci": "secret"}}', 'tokens.ci: expected an object'],
  ['{"tokens": {"ci": {}}}', "tokens.ci: expected 'token' or 'sha256'"],
  [
    `{"tokens": {"ci": {"token": "s", "sha256": "${'0'.repeat(64)}"}}}`,
    "tokens.ci: expected either 'token' or 'sha256', not both",
  ],
  ...['""', '"abc"', `"${'g'.repeat(64)}"`, `"${'0'.repeat(65)}"`].map((sha256): [string, string] => [
    `{"tokens": {"ci": {"sha256": ${sha256}}}}`,
    "tokens.ci.sha256: expected 64 hexadecimal digits, as 'lectern token --hash' prints",
  ]),
  ['{"tokens": {"ci": {"sha256": 5}}}', 'tokens.ci.sha256: expected a string'],
  ...['', '2027-6-30', '2027-02-30', '2027-06-30T12:00:00', 'tomorrow'].map((expires): [string, string] => [
    `{"tokens": {"ci": {"token": "s", "expires": "${expires}"}}}`,
    `tokens.ci.expires: expected ${EXPIRY_RULE}`,
  ]),
  ['{"tokens": {"ci": {"token": "s", "description": 5}}}', 'tokens.ci.description: expected a string'],
  [
    `{"tokens": {"a": {"token": "same"}, "b": {"sha256": "${sha256('same').toUpperCase()}"}}}`,
    'tokens.b.sha256: expected a unique secret, but tokens.a has the same',
  ],
  ['{"tokens": {"ci": {"token": 5}}}', 'tokens.ci.token: expected a string'],
  ['{"tokens": {"ci": {"token": ""}}}', 'tokens.ci.token: expected a secret, not an empty string'],
  [
    '{"tokens": {"ci": {"token": " "}}}',
    'tokens.ci.token: expected a secret without control characters or surrounding white space',
  ],
  ['{"tokens": {"ci": {"token": "s", "projects": "a"}}}', 'tokens.ci.projects: expected an array'],
  ['{"tokens": {"ci": {"token": "s", "projects": null}}}', 'tokens.ci.projects: expected an array'],
  ['{"tokens": {"ci": {"token": "s", "projects": ["a", 7]}}}', 'tokens.ci.projects[1]: expected a string'],
  ['{"tokens": {"ci": {"token": "s", "project": ["a"]}}}', 'tokens.ci.project: unknown field'],
  ['{"tokens": {"ci": {"token": "s", "Projects": ["a"]}}}', 'tokens.ci.Projects: unknown field'],
  [
    '{"tokens": {"ci": {"token": "s", "allow_delete": "false"}}}',
    'tokens.ci.allow_delete: expected a boolean',
  ],
  [
    '{"tokens": {"ci": {"token": "s", "allow_overwrite": 1}}}',
    'tokens.ci.allow_overwrite: expected a boolean',
  ],
  [
    '{"tokens": {"ci": {"token": "s", "projects": ["a", "*"]}}}',
    "tokens.ci.projects[1]: '*' alone is not allowed; leave out 'projects' for every project",
  ],
  ...['**', '*-a', 'a*b', 'a-**'].map((pattern): [string, string] => [
    `{"tokens": {"ci": {"token": "s", "projects": ["${pattern}"]}}}`,
    "tokens.ci.projects[0]: expected at most one '*', at the end: 'payments-*' matches all projects that begin with 'payments-'",
  ]),
  [
    '{"tokens": {"ci": {"token": "s", "projects": [], "read": ["*"]}}}',
    "tokens.ci.read[0]: '*' alone is not allowed; a token without 'projects' may change, and so read, every project",
  ],
  [
    '{"tokens": {"ci": {"token": "s", "projects": [], "read": ["a*b"]}}}',
    "tokens.ci.read[0]: expected at most one '*', at the end: 'payments-*' matches all projects that begin with 'payments-'",
  ],
  [
    '{"tokens": {"ci": {"token": "s", "read": ["a"]}}}',
    "tokens.ci: expected 'projects' beside 'read', [] for a read-only token; without it, the token could change every project",
  ],
  ['{"tokens": {"ci": {"token": "s", "allow_tokens": 1}}}', 'tokens.ci.allow_tokens: expected a boolean'],
  ['{"tokens": {"my ci": {"token": 1}}}', 'tokens["my ci"].token: expected a string'],
  ['{"tokens": {"__proto__": {"token": 1}}}', 'tokens.__proto__.token: expected a string'],
  [
    '{"tokens": {"a": {"token": "same"}, "b": {"token": "same"}}}',
    'tokens.b.token: expected a unique secret, but tokens.a has the same',
  ],
  [
    '{"tokens": {"a": {"token": ""}, "b": {"tokn": "x"}}}',
    'tokens.a.token: expected a secret, not an empty string',
    "tokens.b: expected 'token' or 'sha256'",
    'tokens.b.tokn: unknown field',
  ],
];

const ISSUER = {
  issuer: 'https://token.actions.githubusercontent.com',
  audience: 'https://docs.example.org',
  claims: { repository_owner_id: '1234', ref: ['refs/tags/*'] },
  projects: ['{repository}'],
};
const withIssuer = (more: object, tokens: object = {}) =>
  JSON.stringify({ tokens, trusted_issuers: { github: { ...ISSUER, ...more } } });

const CLAIM_RULE = "expected a non-empty string, or a list of them; '*' matches any text";
const ISSUER_RULE = "expected the https address that the tokens have in 'iss', without a query";
const PROJECT_RULE =
  "expected a project, '{claim}', or a prefix with one '*' at its end: 'payments-*' matches all projects that begin with 'payments-'";
const BRACES_RULE = "expected '{claim}' alone, such as '{repository}', with nothing before or after it";
const OWNER_RULE = `expected a claim that says whose jobs these are, such as "repository_owner_id": "1234", since anyone can run jobs at this issuer; use one of these, with a complete owner before any '*': ${OWNER_CLAIM_NAMES.join(', ')}`;

const ISSUER_FAULTS: readonly [text: string, ...faults: string[]][] = [
  ['{"tokens": {}, "trusted_issuers": []}', 'trusted_issuers: expected an object'],
  ['{"tokens": {}, "trusted_issuers": {"a": 7}}', 'trusted_issuers.a: expected an object'],
  [
    '{"tokens": {}, "trusted_issuers": {"__proto__": {}}}',
    'trusted_issuers.__proto__.issuer: expected a string',
    'trusted_issuers.__proto__.audience: expected a string',
    'trusted_issuers.__proto__.claims: expected an object',
    'trusted_issuers.__proto__.projects: expected an array',
  ],
  [withIssuer({ allow_tokens: true }), 'trusted_issuers.github.allow_tokens: unknown field'],
  [withIssuer({ token: 's' }), 'trusted_issuers.github.token: unknown field'],
  [withIssuer({ audience: '' }), 'trusted_issuers.github.audience: expected a non-empty string'],
  ...[
    'http://ci.example.org',
    'ci.example.org',
    'https://ci.example.org?a',
    'https://ci.example.org/#a',
    'https://user@ci.example.org',
    ' https://ci.example.org',
    'file:///etc/passwd',
    '',
  ].map((issuer): [string, string] => [
    withIssuer({ issuer }),
    `trusted_issuers.github.issuer: ${ISSUER_RULE}`,
  ]),
  [withIssuer({ projects: undefined }), 'trusted_issuers.github.projects: expected an array'],
  ...['{repository}-*', 'docs-{repository}', '{repository}/{ref}', '{}', '{*}', 'a{'].map(
    (project): [string, string] => [
      withIssuer({ projects: [project] }),
      `trusted_issuers.github.projects[0]: ${BRACES_RULE}`,
    ],
  ),
  ...['*', 'a*b'].map((project): [string, string] => [
    withIssuer({ read: [project] }),
    `trusted_issuers.github.read[0]: ${PROJECT_RULE}`,
  ]),
  ...['', [], [''], 7, null, { a: 'b' }].map((value): [string, string] => [
    withIssuer({ claims: { ...ISSUER.claims, ref: value } }),
    `trusted_issuers.github.claims.ref: ${CLAIM_RULE}`,
  ]),
  [
    '{"tokens": {}, "trusted_issuers": {"a": {"issuer": "https://a", "audience": "b", "projects": [], "claims": {"sub": "a", "__proto__": 7}}}}',
    `trusted_issuers.a.claims.__proto__: ${CLAIM_RULE}`,
  ],
  ...[{}, { ref: 'a' }, { repository_owner: '*' }, { repository: '*/flask' }].map(
    (claims): [string, string] => [withIssuer({ claims }), `trusted_issuers.github.claims: ${OWNER_RULE}`],
  ),
  [
    withIssuer({}, { github: { token: 's' } }),
    'trusted_issuers.github: expected a unique name, but tokens.github has it',
  ],
  [withIssuer({ expires: 'soon' }), `trusted_issuers.github.expires: expected ${EXPIRY_RULE}`],
];

describe('A tokens file with issuers of job tokens', () => {
  it('returns the issuers in order, with their conditions and rights', () => {
    const rights = { read: ['handbook'], allow_overwrite: true, previews_only: true, expires: '2027-06-30' };
    const { issuers } = JsonTokenRegistry.parse(withIssuer({ ...rights, description: 'jobs of acme' }));
    assert.deepEqual(issuers, [
      {
        name: 'github',
        issuer: ISSUER.issuer,
        audience: ISSUER.audience,
        claims: new Map([
          ['repository_owner_id', ['1234']],
          ['ref', ['refs/tags/*']],
        ]),
        grants: {
          projects: ['{repository}'],
          read: ['handbook'],
          allowOverwrite: true,
          allowDelete: false,
          existingProjectsOnly: false,
          allowManage: false,
          previewsOnly: true,
          allowTokens: false,
          expiresAt: new Date('2027-07-01T00:00:00Z'),
        },
      },
    ]);
    assert.deepEqual(JsonTokenRegistry.parse('{"tokens": {}}').issuers, []);
  });

  it('knows no job itself, and names expired entries', async () => {
    const registry = JsonTokenRegistry.parse(withIssuer({ expires: '2027-06-30' }));
    assert.equal(await registry.authenticate({ scheme: 'bearer', secret: 'a.b.c' }), undefined);
    const ends = registry.holders().map(({ kind, name, policy }) => [kind, name, policy.grants.expiresAt]);
    assert.deepEqual(ends, [['job', 'github', new Date('2027-07-01T00:00:00Z')]]);
  });
});

describe('An invalid tokens file', () => {
  for (const [text, ...faults] of [...FAULTS, ...ISSUER_FAULTS]) {
    it(`is refused with its faults by their paths: ${text}`, () => {
      assert.throws(
        () => JsonTokenRegistry.parse(text),
        (error) => {
          assert.ok(error instanceof ConfigFileError);
          assert.deepEqual(error.faults, faults);
          return true;
        },
      );
    });
  }

  it('is refused without its secrets', () => {
    for (const text of [
      '{"tokens": {"a": {"token": "s3cret", "b": 1}}}',
      '{"tokens": {"a": {"token": "s3cret"',
    ]) {
      assert.throws(
        () => JsonTokenRegistry.parse(text),
        (error) => !String(error).includes('s3cret'),
      );
    }
  });
});

it('accepts a byte order mark at the beginning of a tokens file', async () => {
  assert.equal(
    (await holderOf(JsonTokenRegistry.parse('\uFEFF{"tokens": {"ci": {"token": "s"}}}'), 's'))?.name,
    'ci',
  );
});

describe('A tokens file on disk', () => {
  const MAX_BYTES = 4 * 1024 * 1024;
  const minimal = '{"tokens": {"ci": {"token": "s"}}}';
  let place: string;
  before(async () => {
    place = await mkdtemp(join(tmpdir(), 'lectern-test-'));
  });
  after(async () => rm(place, { recursive: true }));

  it('has at most 4 MiB', async () => {
    const file = join(place, 'tokens.json');
    await writeFile(file, minimal.padEnd(MAX_BYTES));
    assert.equal((await holderOf(await JsonTokenRegistry.open(file), 's'))?.name, 'ci');
    await writeFile(file, minimal.padEnd(MAX_BYTES + 1));
    const tooLarge = { faults: ['the file: larger than 4194304 bytes'] };
    await assert.rejects(JsonTokenRegistry.open(file), tooLarge);
    await assert.rejects(JsonTokenRegistry.open('/dev/zero'), tooLarge);
  });

  it('is refused at any nesting depth', async () => {
    const file = join(place, 'deep.json');
    await writeFile(file, `{"tokens": ${'['.repeat(MAX_BYTES / 4)}${']'.repeat(MAX_BYTES / 4)}}`);
    await assert.rejects(JsonTokenRegistry.open(file), { faults: ['tokens: expected an object'] });
  });

  it('may come through a pipe, as secrets do', async () => {
    const fifo = join(place, 'fifo');
    execFileSync('mkfifo', [fifo]);
    const [registry] = await Promise.all([JsonTokenRegistry.open(fifo), writeFile(fifo, minimal)]);
    assert.equal((await holderOf(registry, 's'))?.name, 'ci');
  });

  it("is refused with the system's code when it is missing, or a directory", async () => {
    await assert.rejects(JsonTokenRegistry.open(join(place, 'missing')), { code: 'ENOENT' });
    await assert.rejects(JsonTokenRegistry.open(place), { code: 'EISDIR' });
  });
});

it('refuses a digest from a tokens file as a token: readers of the file cannot publish with it', async () => {
  for (const digest of [sha256('s'), sha256('s').toUpperCase()]) {
    const registry = JsonTokenRegistry.parse(
      `{"tokens": {"ci": {"sha256": "${digest}", "description": "Team A"}}}`,
    );
    assert.equal((await holderOf(registry, 's'))?.name, 'ci');
    assert.equal(await holderOf(registry, digest), undefined);
  }
});
