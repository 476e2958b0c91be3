import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { AccessRulesFile } from '../../src/composition/access/access-rules.js';
import { SeparateIssuers } from '../../src/composition/access/separate-issuers.js';
import type { Reader } from '../../src/domain/index.js';
import { until } from '../support/until.js';

const JOBS = 'https://jobs.example';
const PEOPLE = 'https://people.example';

describe('AccessRulesFile', () => {
  let directory: string;
  let file: string;
  let separate: SeparateIssuers;
  let access: AccessRulesFile;
  const write = (audience: unknown, issuer: string) =>
    writeFile(
      file,
      JSON.stringify({ default: audience, people_issuers: { company: { issuer, user: 'sub' } } }),
    );
  /** Follows the file until its change counts, or is refused. @returns what was said of it */
  const changed = (before: (everybody: Reader) => Promise<void>) =>
    new Promise<string>((resolve) => {
      access.follow(before, {
        error: ({ reason }: { reason?: unknown }) => resolve(String(reason)),
        warn: (_, message) => resolve(message),
      });
    });

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lectern-access-'));
    file = join(directory, 'access.json');
    separate = new SeparateIssuers();
    separate.take('trusted_issuers', [{ issuer: JOBS }]);
    await write({ people: [] }, PEOPLE);
    access = await AccessRulesFile.open(file, { resource: 'https://docs.example/-/mcp/private', separate });
  });
  afterEach(async () => {
    await access.close();
    await rm(directory, { recursive: true });
  });

  it('publishes nothing for a refused file whose issuer is one of jobs', async () => {
    await write('public', JOBS);
    let shown = 0;
    const said = await changed(async () => {
      shown += 1;
    });
    assert.match(said, /trusted_issuers/);
    assert.deepEqual([shown, access.policy.isPublic('vault'), access.isFaulty], [0, false, true]);
    assert.deepEqual(
      access.peopleIssuers.map(({ issuer }) => issuer),
      [PEOPLE],
    );
  });

  it('reserves old and new issuers for people until the change is decided', async () => {
    await write('public', 'https://others.example');
    const said = await changed(async () => {
      for (const issuer of [PEOPLE, 'https://others.example'])
        assert.throws(() => separate.take('trusted_issuers', [{ issuer }]));
    });
    assert.match(said, /reloaded the access file/);
    assert.throws(() => separate.take('trusted_issuers', [{ issuer: 'https://others.example' }]));
    separate.take('trusted_issuers', [{ issuer: PEOPLE }]);
  });

  it('keeps its issuers from jobs while the new rules cannot be applied', async () => {
    await write('public', 'https://others.example');
    const said = await changed(async () => {
      throw new Error('no room');
    });
    assert.match(said, /no room/);
    assert.throws(() => separate.take('trusted_issuers', [{ issuer: PEOPLE }]));
    separate.take('trusted_issuers', [{ issuer: 'https://others.example' }]);
  });

  it('withdraws what rules that cannot be applied have opened, and applies the old ones once the file has them', async () => {
    const old = { people: [] };
    const shown: boolean[] = [];
    await write('public', PEOPLE);
    await changed(async (everybody) => {
      shown.push(everybody.maySee('vault'));
      if (shown.length === 1) throw new Error('no room');
    });
    await write(old, PEOPLE);
    await until(() => !access.isFaulty);
    assert.deepEqual([shown, access.policy.isPublic('vault')], [[true, false, false], false]);
  });

  it('gives readers other rights under each rules, although some cannot be applied', async () => {
    const rights: string[] = [];
    const fail = async (everybody: Reader) => {
      rights.push(everybody.rights);
      throw new Error('no room');
    };
    await write({ people: ['ann'] }, PEOPLE);
    await changed(fail);
    await write({ people: ['bob'] }, PEOPLE);
    await until(() => rights.length >= 4);
    assert.equal(new Set(rights).size, rights.length, rights.join('; '));
  });
});
