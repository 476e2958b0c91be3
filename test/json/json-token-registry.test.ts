import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { JsonTokenRegistry, TokensFileError } from '../../src/adapters/json/index.js';
import { EXPIRY_RULE } from '../../src/domain/index.js';
import { holderOf, type Tokens, tokenRegistryContract } from '../contracts/token-registry.js';

tokenRegistryContract('JsonTokenRegistry', (tokens) => JsonTokenRegistry.parse(write(tokens)));
tokenRegistryContract('JsonTokenRegistry with digests of the secrets', (tokens) =>
  JsonTokenRegistry.parse(write(tokens, (secret) => ({ sha256: sha256(secret) }))),
);

function write(tokens: Tokens, secretOf = (secret: string): object => ({ token: secret })): string {
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
    'tokens.b.sha256: expected a secret of its own, but tokens.a has the same',
  ],
  ['{"tokens": {"ci": {"token": 5}}}', 'tokens.ci.token: expected a string'],
  ['{"tokens": {"ci": {"token": ""}}}', 'tokens.ci.token: expected a secret, not an empty text'],
  [
    '{"tokens": {"ci": {"token": " "}}}',
    'tokens.ci.token: expected a secret without control characters, and without white space at its ends',
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
    "tokens.ci.projects[1]: '*' alone names no project; leave 'projects' out for every project",
  ],
  ...['**', '*-a', 'a*b', 'a-**'].map((pattern): [string, string] => [
    `{"tokens": {"ci": {"token": "s", "projects": ["${pattern}"]}}}`,
    "tokens.ci.projects[0]: expected one '*' at most, at the end: 'payments-*' is every project that begins with 'payments-'",
  ]),
  [
    '{"tokens": {"ci": {"token": "s", "projects": [], "read": ["*"]}}}',
    "tokens.ci.read[0]: '*' alone names no project; a token that may change every project, without 'projects', reads every project",
  ],
  [
    '{"tokens": {"ci": {"token": "s", "projects": [], "read": ["a*b"]}}}',
    "tokens.ci.read[0]: expected one '*' at most, at the end: 'payments-*' is every project that begins with 'payments-'",
  ],
  [
    '{"tokens": {"ci": {"token": "s", "read": ["a"]}}}',
    "tokens.ci: expected 'projects' beside 'read', [] for a token that only reads; without it, the token could change every project",
  ],
  ['{"tokens": {"ci": {"token": "s", "allow_tokens": 1}}}', 'tokens.ci.allow_tokens: expected a boolean'],
  ['{"tokens": {"my ci": {"token": 1}}}', 'tokens["my ci"].token: expected a string'],
  ['{"tokens": {"__proto__": {"token": 1}}}', 'tokens.__proto__.token: expected a string'],
  [
    '{"tokens": {"a": {"token": "same"}, "b": {"token": "same"}}}',
    'tokens.b.token: expected a secret of its own, but tokens.a has the same',
  ],
  [
    '{"tokens": {"a": {"token": ""}, "b": {"tokn": "x"}}}',
    'tokens.a.token: expected a secret, not an empty text',
    "tokens.b: expected 'token' or 'sha256'",
    'tokens.b.tokn: unknown field',
  ],
];

describe('A tokens file that cannot be used', () => {
  for (const [text, ...faults] of FAULTS) {
    it(`names its faults by their paths: ${text}`, () => {
      assert.throws(
        () => JsonTokenRegistry.parse(text),
        (error) => {
          assert.ok(error instanceof TokensFileError);
          assert.deepEqual(error.faults, faults);
          return true;
        },
      );
    });
  }

  it('never shows a secret', () => {
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

it('A tokens file may begin with a byte order mark', async () => {
  assert.equal(
    (await holderOf(JsonTokenRegistry.parse('\uFEFF{"tokens": {"ci": {"token": "s"}}}'), 's'))?.name,
    'ci',
  );
});

describe('A tokens file on the disk', () => {
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

  it('may nest as deep as it is long: that is a fault like any other', async () => {
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

  it('that is not there, or a directory, is told by the code of the system', async () => {
    await assert.rejects(JsonTokenRegistry.open(join(place, 'missing')), { code: 'ENOENT' });
    await assert.rejects(JsonTokenRegistry.open(place), { code: 'EISDIR' });
  });
});

it('A digest in a tokens file is no secret: who reads the file cannot publish with it', async () => {
  for (const digest of [sha256('s'), sha256('s').toUpperCase()]) {
    const registry = JsonTokenRegistry.parse(
      `{"tokens": {"ci": {"sha256": "${digest}", "description": "Team A"}}}`,
    );
    assert.equal((await holderOf(registry, 's'))?.name, 'ci');
    assert.equal(await holderOf(registry, digest), undefined);
  }
});
