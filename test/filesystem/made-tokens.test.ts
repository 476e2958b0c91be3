import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { FilesystemDocStore } from '../../src/adapters/filesystem/index.js';
import { Changes, copyVersions } from '../../src/application/index.js';
import { grantsOf } from '../../src/formats/api/token-fields.js';
import { FakeArchives, firstLineDocinfo } from '../support/fake-archives.js';
import { noArchives } from '../support/no-archives.js';

const TOKEN = {
  ...{ maker: 'team', name: 'ci', sha256: 'a'.repeat(64), madeAt: new Date('2027-01-02T03:04:05.678Z') },
  given: grantsOf({ projects: ['a'] }),
};

describe('The file of made tokens', () => {
  let place: string;
  let stores: FilesystemDocStore[];
  beforeEach(async () => {
    place = await mkdtemp(join(tmpdir(), 'lectern-made-'));
    stores = [];
  });
  afterEach(async () => {
    for (const store of stores) await store.close();
    await rm(place, { recursive: true });
  });

  const open = async (name = 'docs') => {
    const archives = { ...noArchives, pack: async () => assert.fail('nothing was to be packed') };
    const options = { archives, readDocinfo: firstLineDocinfo };
    const store = await FilesystemDocStore.open(join(place, name), options);
    stores.push(store);
    return store;
  };
  const own = (name = 'docs') => join(place, name, '.lectern');

  it('is created with the first token', async () => {
    const store = await open();
    await store.madeTokens();
    await store.changeMadeTokens((tokens) => tokens);
    assert.ok(!(await readdir(own())).includes('tokens.json'));
    await store.changeMadeTokens(() => [TOKEN]);
    assert.deepEqual(JSON.parse(await readFile(join(own(), 'tokens.json'), 'utf8')), {
      tokens: [
        {
          ...{ maker: 'team', name: 'ci', sha256: TOKEN.sha256, projects: ['a'] },
          made_at: '2027-01-02T03:04:05.678Z',
        },
      ],
    });
    assert.deepEqual(await readdir(join(own(), 'incoming')), []);
  });

  it('is ignored while damaged, and left unchanged', async () => {
    const store = await open();
    await store.changeMadeTokens(() => [TOKEN]);
    for (const text of ['', '{', '[]', '{"tokens": [{"maker": "team"}]}', '{"tokens": [], "more": 1}']) {
      const file = join(own(), 'tokens.json');
      await writeFile(file, text);
      const damaged = { code: 'unavailable', message: /tokens\.json cannot be read; repair or remove it$/ };
      await assert.rejects(store.madeTokens(), damaged, text);
      await assert.rejects(
        store.changeMadeTokens(() => []),
        damaged,
      );
      assert.equal(await readFile(file, 'utf8'), text);
    }
    await rm(join(own(), 'tokens.json'));
    assert.deepEqual(await store.madeTokens(), []);
  });

  it('rejects no token as unknown while its disk is missing', async () => {
    const store = await open();
    await store.changeMadeTokens(() => [TOKEN]);
    await rm(own(), { recursive: true });
    await assert.rejects(store.madeTokens(), { code: 'unavailable' });
  });

  it('is not copied to another store', async () => {
    const [source, docs] = [await open(), await open('copy')];
    await source.changeMadeTokens(() => [TOKEN]);
    const target = { docs, changes: new Changes(docs) };
    for await (const _ of copyVersions(source, target, { archives: new FakeArchives({}) }));
    assert.deepEqual(await docs.madeTokens(), []);
    assert.ok(!(await readdir(own('copy'))).includes('tokens.json'));
  });
});
