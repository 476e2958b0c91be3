import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { after, describe, it, type TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { keys } from '../../src/adapters/object-store/keys.js';
import { type Commit, commitOf, parseCommit } from '../../src/adapters/object-store/log/commit.js';
import { CommitLog } from '../../src/adapters/object-store/log/commit-log.js';
import { Snapshots } from '../../src/adapters/object-store/log/snapshots.js';
import { StoreState } from '../../src/adapters/object-store/log/store-state.js';
import { LogReplay } from '../../src/adapters/object-store/verification/log-replay.js';
import { verifyObjects } from '../../src/adapters/object-store/verification/verify-store.js';
import { ZipArchives } from '../../src/adapters/zip/index.js';
import type { Check } from '../../src/application/index.js';
import { NO_ARCHIVE_LIMITS } from '../../src/application/index.js';
import { NO_SETTINGS, withHidden } from '../../src/domain/index.js';
import { ArchiveIndex } from '../../src/formats/index.js';
import { idOf, readPage } from '../contracts/doc-store.js';
import { type MemoryBucket, MemoryObjectClient } from '../support/memory-object-client.js';
import { zipOf } from '../support/zip-writer.js';
import { keysOf, openNode, temporaryDirectory } from './support.js';

const archives = new ZipArchives();
const LOST_A =
  'commit 3 replaces a publication of a-1.0 that does not exist: the commit that published it is lost';
const IN_TWO_HOURS = Date.now() + 2 * 60 * 60_000;
after(() => archives.close());

type Node = Awaited<ReturnType<typeof openNode>>;

async function publish({ store }: Node, name: string, page: string, replace = false): Promise<string> {
  const staging = await store.stage();
  const bytes = zipOf({ 'index.html': page, 'deep/page.html': page.repeat(100) });
  const content = (async function* () {
    yield bytes;
  })();
  const archive = await staging.receive(content, 1_000_000);
  const { facts } = await staging.prepare(archives, NO_ARCHIVE_LIMITS);
  const record = { publishedAt: new Date(), archive, ...facts, token: 'ci' };
  return (await store.publish(staging, { id: idOf(name), record }, { replace })).version.revision;
}

/** A bucket with two versions, one of them replaced, and a snapshot after the second of four commits. */
async function bucketOfTwo(t: TestContext) {
  const bucket: MemoryBucket = new Map();
  const node = await openNode(t, bucket, { archives });
  await publish(node, 'a-1.0', 'first');
  await publish(node, 'gone-1.0', 'gone');
  const replay = await stateOf(bucket);
  await new Snapshots(new MemoryObjectClient(bucket)).write(replay);
  const a = await publish(node, 'a-1.0', 'second', true);
  const b = await publish(node, 'b-1.0', 'other');
  await node.store.remove(idOf('gone-1.0'));
  return { bucket, node, a, b };
}

function commitIn(bucket: MemoryBucket, number: number): Commit {
  const { bytes } = bucket.get(keys.commit(number)) ?? assert.fail(`no commit ${number}`);
  return parseCommit(Buffer.from(bytes).toString(), number);
}

async function stateOf(bucket: MemoryBucket): Promise<StoreState> {
  const replay = new LogReplay(new CommitLog(new MemoryObjectClient(bucket)));
  await replay.follow();
  return replay.state;
}

async function check(
  t: TestContext,
  bucket: MemoryBucket,
  repair = false,
  client = new MemoryObjectClient(bucket),
  now = Date.now(),
) {
  const directory = await temporaryDirectory(t);
  const checks: Check[] = [];
  try {
    for await (const found of verifyObjects(client, { archives, repair, directory, now })) checks.push(found);
  } finally {
    assert.deepEqual(await readdir(directory), [], 'a temporary file is left');
  }
  return checks;
}
const faultsOf = (checks: readonly Check[]) =>
  checks.flatMap(({ name, faults, isRepaired }) => faults.map((fault) => [name, fault, isRepaired]));
const contentOf = (bucket: MemoryBucket) =>
  new Map([...bucket].map(([key, { bytes }]) => [key, Buffer.from(bytes).toString('base64')]));

function damage(bucket: MemoryBucket, key: string, change: (bytes: Buffer) => Uint8Array): void {
  const object = bucket.get(key) ?? assert.fail(`${key} is not there`);
  bucket.set(key, { ...object, bytes: change(Buffer.from(object.bytes)) });
}

describe('Verifying an object store', () => {
  it('finds nothing in an intact store, and changes nothing, with and without --repair', async (t) => {
    const { bucket } = await bucketOfTwo(t);
    const before = contentOf(bucket);
    for (const repair of [false, true]) {
      assert.deepEqual(await check(t, bucket, repair), [
        { name: 'a-1.0', done: 1, total: 2, faults: [], isRepaired: false },
        { name: 'b-1.0', done: 2, total: 2, faults: [], isRepaired: false },
      ]);
    }
    assert.deepEqual(contentOf(bucket), before);
  });

  const INDEXES: readonly [
    title: string,
    damage: (bucket: MemoryBucket, key: string) => void,
    fault: string,
  ][] = [
    ['a missing index', (bucket, key) => bucket.delete(key), 'its index is missing'],
    [
      'a damaged index',
      (bucket, key) => damage(bucket, key, (bytes) => bytes.fill('x', 60, 70)),
      'its index is damaged',
    ],
    [
      'an index that is whole but of another archive',
      (bucket, key) => damage(bucket, key, () => Buffer.from(ArchiveIndex.of([]).toString())),
      'its index does not belong to its archive',
    ],
  ];
  for (const [title, spoil, fault] of INDEXES) {
    it(`reports ${title}, and rebuilds it with --repair`, async (t) => {
      const { bucket, a } = await bucketOfTwo(t);
      const good = contentOf(bucket);
      spoil(bucket, keys.index(a));
      const before = contentOf(bucket);
      assert.deepEqual(faultsOf(await check(t, bucket)), [['a-1.0', fault, false]]);
      assert.deepEqual(contentOf(bucket), before);
      assert.deepEqual(faultsOf(await check(t, bucket, true)), [['a-1.0', fault, true]]);
      assert.deepEqual(contentOf(bucket), good);
    });
  }

  const ARCHIVES: readonly [
    title: string,
    damage: (bucket: MemoryBucket, key: string) => void,
    fault: RegExp,
  ][] = [
    ['a missing archive', (bucket, key) => bucket.delete(key), /^its archive is missing$/],
    [
      'a truncated archive',
      (bucket, key) => damage(bucket, key, (bytes) => bytes.subarray(1)),
      /^its archive has \d+ bytes instead of \d+$/,
    ],
    [
      'an archive with other bytes',
      (bucket, key) => damage(bucket, key, (bytes) => bytes.fill('x', 50, 60)),
      /^its archive is not the uploaded one: the SHA-256 differs$/,
    ],
  ];
  for (const [title, spoil, fault] of ARCHIVES) {
    it(`reports ${title}, which nothing repairs`, async (t) => {
      const { bucket, b } = await bucketOfTwo(t);
      spoil(bucket, keys.archive(b));
      const before = contentOf(bucket);
      const [, found] = await check(t, bucket, true);
      assert.equal(found?.name, 'b-1.0');
      assert.match(found?.faults[0] ?? '', fault);
      assert.equal(found?.isRepaired, false);
      assert.deepEqual(contentOf(bucket), before);
    });
  }

  const SNAPSHOTS: readonly [
    title: string,
    damage: (bucket: MemoryBucket) => Promise<void> | void,
    fault: RegExp,
  ][] = [
    [
      'a truncated snapshot',
      (bucket) => damage(bucket, keys.snapshot(2), (bytes) => bytes.subarray(0, -12)),
      /^it is damaged/,
    ],
    [
      'a snapshot of other bytes',
      (bucket) => damage(bucket, keys.snapshot(2), (bytes) => bytes.fill(7)),
      /^it is damaged/,
    ],
    [
      'a snapshot without a version',
      async (bucket) => {
        const [first] = (await stateAfter(bucket, 2)).records;
        await put(bucket, StoreState.of(2, commitIn(bucket, 2).nonce, first ? [first] : [], []));
      },
      /^it lacks a publication of gone-1\.0 that is in the log$/,
    ],
    [
      'a snapshot with a record that differs',
      async (bucket) => {
        const records = [...(await stateAfter(bucket, 2)).records];
        await put(
          bucket,
          StoreState.of(
            2,
            commitIn(bucket, 2).nonce,
            records.map((record) => ({ ...record, token: 'other' })),
            [],
          ),
        );
      },
      /^its record of a-1\.0 differs from the log$/,
    ],
    [
      'a snapshot without the removed versions',
      async (bucket) => {
        const { records } = await stateOf(bucket);
        await put(bucket, StoreState.of(5, commitIn(bucket, 5).nonce, records, []));
      },
      /^its replaced and removed publications differ from the log$/,
    ],
    [
      'a snapshot with other settings',
      async (bucket) => {
        const { records } = await stateAfter(bucket, 2);
        const hidden = withHidden(NO_SETTINGS, '1.0', true);
        await put(bucket, StoreState.of(2, commitIn(bucket, 2).nonce, records, [], [['a', hidden]]));
      },
      /^its settings of projects differ from the log$/,
    ],
  ];
  const put = (bucket: MemoryBucket, state: StoreState) =>
    new Snapshots(new MemoryObjectClient(bucket)).write(state);
  const stateAfter = async (bucket: MemoryBucket, number: number) =>
    stateOf(new Map([...bucket].filter(([key]) => !key.startsWith('log/') || key >= keys.commit(number))));
  for (const [title, spoil, fault] of SNAPSHOTS) {
    it(`reports ${title}, and rebuilds the snapshot with --repair`, async (t) => {
      const { bucket } = await bucketOfTwo(t);
      const wanted = await stateOf(bucket);
      await spoil(bucket);
      const before = contentOf(bucket);
      const [found] = await check(t, bucket);
      assert.equal(found?.name, 'the snapshot');
      assert.match(found?.faults[0] ?? '', fault);
      assert.deepEqual(contentOf(bucket), before);
      assert.equal((await check(t, bucket, true))[0]?.isRepaired, true);
      assert.deepEqual(faultsOf(await check(t, bucket)), []);
      const stored = await new Snapshots(new MemoryObjectClient(bucket)).newest();
      assert.equal(stored?.key, keys.snapshot(5));
      assert.deepEqual(stored?.state?.catalogue.projects, wanted.catalogue.projects);
      assert.deepEqual(stored?.state?.removed, wanted.removed);
      const started = await openNode(t, bucket, { archives });
      assert.equal(await readPage(started.store, 'a-1.0', 'index.html'), 'second');
    });
  }

  it('reports a gap in the log, checks the visible versions, and repairs no snapshot from such a log', async (t) => {
    const { bucket } = await bucketOfTwo(t);
    bucket.delete(keys.commit(1));
    damage(bucket, keys.snapshot(2), (bytes) => bytes.subarray(0, -12));
    const before = contentOf(bucket);
    assert.deepEqual(faultsOf(await check(t, bucket, true)), [
      ['the log', 'commit 1 is missing', false],
      ['the log', LOST_A, false],
      ['the snapshot', 'it is damaged, or a newer Lectern wrote it', false],
    ]);
    assert.deepEqual(contentOf(bucket), before);
  });

  it('continues with the snapshot when commits before it are missing', async (t) => {
    const { bucket } = await bucketOfTwo(t);
    bucket.delete(keys.commit(1));
    const checks = await check(t, bucket, true);
    assert.deepEqual(faultsOf(checks), [
      ['the log', 'commit 1 is missing', false],
      ['the log', 'a commit is missing: the one that published a-1.0', false],
      ['the log', LOST_A, false],
    ]);
    assert.deepEqual(
      checks.map(({ name }) => name),
      ['the log', 'a-1.0', 'b-1.0'],
    );
  });

  it('reports commits known to the snapshot alone', async (t) => {
    const { bucket } = await bucketOfTwo(t);
    await put(bucket, await stateOf(bucket));
    bucket.delete(keys.commit(5));
    bucket.delete(keys.commit(4));
    assert.deepEqual(faultsOf(await check(t, bucket, true)), [
      ['the log', 'commit 4 is missing', false],
      ['the log', 'commit 5 is missing', false],
      ['the log', 'a commit is missing: the one that published b-1.0', false],
    ]);
  });

  it("reports commits known to the last writer's mark alone", async (t) => {
    const { bucket } = await bucketOfTwo(t);
    bucket.delete(keys.commit(5));
    bucket.delete(keys.commit(4));
    assert.deepEqual(faultsOf(await check(t, bucket, true)), [
      ['the log', 'commit 4 is missing', false],
      ['the log', 'commit 5 is missing', false],
    ]);
  });

  /** Puts an empty commit in the place of one. @param nonce by default not that which the next commit names */
  const fill = (bucket: MemoryBucket, number: number, nonce = 'filler') => {
    const { previous } = commitIn(bucket, number);
    const filler = commitOf(nonce, new Date(), { kind: 'purge', revisions: [] }, previous);
    damage(bucket, keys.commit(number), () => Buffer.from(JSON.stringify(filler)));
  };

  it('reports a filled hole, and the archive of its lost version', async (t) => {
    const { bucket, b } = await bucketOfTwo(t);
    fill(bucket, 4);
    const { bytes, modifiedAt } = bucket.get(keys.archive(b)) ?? assert.fail();
    const archive = `no commit names archive/${b}.zip (${bytes.length} bytes, ${modifiedAt.toISOString()})`;
    const before = contentOf(bucket);
    assert.deepEqual(faultsOf(await check(t, bucket, true, undefined, IN_TWO_HOURS)), [
      [
        'the log',
        'commit 5 does not follow commit 4: a missing commit was filled in, or the log was replaced',
        false,
      ],
      ['the archives', archive, false],
    ]);
    assert.deepEqual(contentOf(bucket), before);
    // An upload may be under way.
    assert.equal(faultsOf(await check(t, bucket)).length, 1);
  });

  const FILLED: readonly [number: number, faults: readonly string[]][] = [
    [1, [LOST_A]],
    [
      2,
      [
        'commit 5 removes a publication of gone-1.0 that does not exist: the commit that published it is lost',
      ],
    ],
  ];
  for (const [number, faults] of FILLED) {
    it(`reports commit ${number}, filled with the right nonce, by the changes of later ones`, async (t) => {
      const { bucket } = await bucketOfTwo(t);
      for (const key of keysOf(bucket, 'snapshot/')) bucket.delete(key);
      fill(bucket, number, commitIn(bucket, number).nonce);
      assert.deepEqual(
        faultsOf(await check(t, bucket)).slice(0, faults.length),
        faults.map((fault) => ['the log', fault, false]),
      );
    });
  }

  it('reports a lost removal by the commit that publishes the version as a new one', async (t) => {
    const { bucket, node } = await bucketOfTwo(t);
    await publish(node, 'gone-1.0', 'again');
    bucket.delete(keys.commit(5));
    assert.deepEqual(faultsOf(await check(t, bucket)), [
      ['the log', 'commit 5 is missing', false],
      [
        'the log',
        'commit 6 publishes gone-1.0 as new, but it is published: the commit that removed it is lost',
        false,
      ],
    ]);
  });

  it("reports a log other than the snapshot's, and makes no snapshot of it", async (t) => {
    const { bucket } = await bucketOfTwo(t);
    await put(bucket, await stateOf(bucket));
    fill(bucket, 5);
    const before = contentOf(bucket);
    assert.deepEqual(faultsOf(await check(t, bucket, true)), [
      [
        'the log',
        'commit 5 differs from the one in the snapshot: the log was replaced or rolled back',
        false,
      ],
    ]);
    assert.deepEqual(contentOf(bucket), before);
  });

  it('ignores archives that a commit has purged, or that are kept', async (t) => {
    const { bucket, node, a } = await bucketOfTwo(t);
    const copy = new Map(bucket);
    await node.store.remove(idOf('a-1.0'), { purge: true });
    for (const [key, object] of copy) if (key.includes(a)) bucket.set(key, object);
    assert.deepEqual(faultsOf(await check(t, bucket, false, undefined, IN_TWO_HOURS)), []);
  });

  it('reports the first ten of many archives without a commit, and the number of the rest', async (t) => {
    const { bucket } = await bucketOfTwo(t);
    const client = new MemoryObjectClient(bucket);
    for (let number = 10; number < 22; number++) {
      await client.put(keys.archive(`m${number}-${'0'.repeat(20)}`), Buffer.from('x'));
    }
    const [found] = await check(t, bucket, false, client, IN_TWO_HOURS);
    assert.equal(found?.faults.length, 11);
    assert.equal(found?.faults.at(-1), 'and 2 more');
  });

  it('reports an unknown commit', async (t) => {
    const { bucket } = await bucketOfTwo(t);
    damage(bucket, keys.commit(4), () => Buffer.from('{"format":2}'));
    assert.match(
      String(faultsOf(await check(t, bucket, true))),
      /^the log,Commit 4 of the log cannot be read/,
    );
  });

  it('ignores a version replaced during the check', async (t) => {
    const { bucket, node, b } = await bucketOfTwo(t);
    bucket.delete(keys.archive(b));
    const client = new MemoryObjectClient(bucket);
    let isReplaced = false;
    client.faults = async (_, key) => {
      if (key === keys.archive(b) && !isReplaced) {
        isReplaced = true;
        await publish(node, 'b-1.0', 'meanwhile', true);
      }
      return undefined;
    };
    assert.deepEqual(faultsOf(await check(t, bucket, true, client)), []);
  });

  it('leaves no file behind when the store truncates an archive, or on an abort', async (t) => {
    const { bucket, a } = await bucketOfTwo(t);
    const before = contentOf(bucket);
    const client = new MemoryObjectClient(bucket);
    client.faults = (_, key) => (key === keys.archive(a) ? { cutAfter: 40 } : undefined);
    await assert.rejects(check(t, bucket, true, client), { name: 'StoreUnavailable' });
    const directory = await temporaryDirectory(t);
    const controller = new AbortController();
    client.faults = (_, key) => {
      if (key === keys.archive(a)) setImmediate(() => controller.abort(new Error('enough')));
      return undefined;
    };
    const options = { archives, repair: true, directory, signal: controller.signal };
    await assert.rejects(async () => {
      for await (const _ of verifyObjects(client, options)) await turn();
    }, /enough/);
    assert.deepEqual(await readdir(directory), []);
    assert.deepEqual(contentOf(bucket), before);
  });

  it('refuses a location without a log, perhaps a misspelled one', async (t) => {
    await assert.rejects(check(t, new Map()), /there is no documentation: its log has no commits/);
  });
});
