import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Clearing } from '../../src/adapters/object-store/clearing.js';
import { revisionOfKey } from '../../src/adapters/object-store/keys.js';
import { CommitLog } from '../../src/adapters/object-store/log/commit-log.js';
import { Replica } from '../../src/adapters/object-store/log/replica.js';
import { Snapshots } from '../../src/adapters/object-store/log/snapshots.js';
import { makeBucket } from '../support/ceph/bucket.js';
import { type Daemon, needsCeph, startCeph } from '../support/ceph/ceph.js';
import { until } from '../support/until.js';
import { History, oneOf, readPages, SHARED, write } from './clients.js';
import { assertHolds, readLog, replay } from './log-check.js';
import { Node, placeIn } from './nodes.js';

const NODES = 3;
const WRITERS = 6;
const READERS = 6;
/** More than there are between two snapshots of the log. */
const MIN_COMMITS = 120;
/** `LECTERN_FAULT_ROUNDS=20` makes a long hunt of it: how often everything is killed. */
const ROUNDS = Number(process.env.LECTERN_FAULT_ROUNDS ?? 1);
const DAEMONS: readonly Daemon[] = ['mon.a', 'osd.0', 'osd.1', 'osd.2', 'rgw.1', 'rgw.2'];

describe('Three nodes on a Ceph cluster whose processes are killed', needsCeph, () => {
  it('lose no acknowledged version, mix none, keep one log, and agree at the end', {
    timeout: 900_000 * ROUNDS,
  }, async (t) => {
    const ceph = await startCeph({ store: 'bluestore' });
    t.after(ceph.stop);
    const bucket = await makeBucket(ceph);
    const place = placeIn(ceph, bucket.name);
    const nodes = await Promise.all(
      Array.from({ length: NODES }, (_, index) =>
        Node.started(
          t,
          place,
          ceph.endpoints[index % 2] ?? '',
          '--max-uploads',
          '16',
          '--log-level',
          'warn',
          '--search',
          'off',
        ),
      ),
    );
    const probes = await Promise.all(
      ceph.endpoints.map((endpoint) => bucket.open({ endpoint, prefix: 'probe/' })),
    );
    for (const probe of probes) t.after(() => probe.close());
    /** Whether both gateways store: a node that starts before that ends. */
    const stores = () =>
      Promise.all(probes.map((probe) => probe.put('one', Buffer.from('x')))).then(
        () => true,
        () => false,
      );
    const history = new History();
    let isOver = false;
    const anyNode = () => {
      const running = nodes.filter(({ isRunning }) => isRunning);
      return running.length === 0 ? undefined : oneOf(running);
    };
    const clients = [
      ...Array.from({ length: WRITERS }, (_, writer) => write(history, writer, anyNode, () => isOver)),
      ...Array.from({ length: READERS }, () => readPages(history, WRITERS, anyNode, () => isOver)),
    ];
    /** Waits until clients have been told of so many more changes: what was killed must not be missed. */
    const goesOn = async (changes: number) => {
      const goal = history.done + changes;
      const end = performance.now() + 180_000;
      while (history.done < goal) {
        assert.ok(performance.now() < end, `only ${history.done} changes, not ${goal}`);
        await pause(20);
      }
    };
    const kill = async (daemon: Daemon, forMs: number) => {
      await ceph.kill(daemon);
      await pause(forMs);
      await ceph.start(daemon);
    };

    try {
      await goesOn(20);
      for (let round = 0; round < ROUNDS; round += 1) {
        await kill('rgw.1', 2_000);
        await goesOn(20);
        await kill('osd.0', 6_000);
        await goesOn(20);
        await killDuringUpload(history, nodes[round % NODES]!);
        await nodes[round % NODES]!.start();
        await goesOn(20);
        await Promise.all([...DAEMONS.map(ceph.kill), ...nodes.map((node) => node.kill())]);
        for (const daemon of DAEMONS) await ceph.start(daemon);
        await until(stores);
        await Promise.all(nodes.map((node) => node.start()));
        await goesOn(20);
      }
      while (history.done < MIN_COMMITS * ROUNDS) await goesOn(1);
    } finally {
      isOver = true;
      await Promise.all(clients);
    }
    assert.deepEqual(history.violations, []);
    // A node that knows of the last change knows of all before.
    await until(async () => (await history.publish(nodes[0]!, 'last', '1.0')).outcome === 'done');
    for (const node of nodes) await until(async () => (await node.get('/last-1.0/')).status === 200);

    const client = await bucket.open({ prefix: 'team/' });
    t.after(() => client.close());
    const commits = await readLog(client);
    assert.ok(commits.length >= MIN_COMMITS);
    const published = replay(commits);
    assertHolds(commits, history.attempts);

    const [first, ...others] = await Promise.all(nodes.map((node) => node.catalogue()));
    for (const other of others) assert.deepEqual(other, first);
    await assertServed(nodes, history, published);
    assert.deepEqual(history.violations, []);

    for (const node of nodes) await node.kill();
    const options = { pollMs: 60_000, report: () => {} };
    const replica = await Replica.open(new CommitLog(client), new Snapshots(client), options);
    t.after(() => replica.close());
    assert.equal(replica.current.number, commits.length);
    const clearing = new Clearing(client, replica, 0);
    await clearing.sweep(Date.now() + 60_000);
    for (const prefix of ['archive/', 'index/']) {
      const left = new Set<string>();
      for await (const { key } of client.list(prefix)) left.add(revisionOfKey(key) ?? key);
      for (const revision of left) assert.ok(replica.current.isKnown(revision), `${revision} was left`);
      for (const { revision } of published.values()) assert.ok(left.has(revision), `${revision} is missing`);
    }
    const unknown = history.attempts.filter(({ outcome }) => outcome === 'unknown').length;
    t.diagnostic(
      `${commits.length} commits; ${history.done} changes acknowledged, ${unknown} unknown; ${history.pagesRead} pages read`,
    );
  });
});

/** Kills a node that has all bytes of an upload, and has not answered. */
async function killDuringUpload(history: History, node: Node): Promise<void> {
  for (let waitMs = 100; ; waitMs /= 2) {
    let timer: NodeJS.Timeout | undefined;
    let killed: Promise<void> | undefined;
    const onSent = () => {
      timer = setTimeout(() => {
        killed = node.kill();
      }, waitMs);
    };
    // Large enough for parts of it to be under way to the store.
    const { outcome } = await history.publish(node, 'large', '1.0', { onSent, ballast: 20_000_000 });
    clearTimeout(timer);
    await killed;
    if (killed === undefined) continue;
    if (outcome === 'unknown') return;
    // The answer was on its way already.
    assert.equal(outcome, 'done');
    await node.start();
  }
}

/** Every node serves each version as it was published last, and no other. */
async function assertServed(
  nodes: readonly Node[],
  history: History,
  published: ReadonlyMap<string, { readonly sha256: string }>,
): Promise<void> {
  const names = new Set(history.attempts.map(({ project, version }) => `${project}-${version}`));
  for (const version of SHARED.versions) assert.ok(published.has(`${SHARED.project}-${version}`));
  for (const node of nodes) {
    for (const name of names) {
      const [, project = '', version = ''] = /^(.*)-([^-]*)$/.exec(name) ?? [];
      for (const path of ['index.html', 'a/b.html']) {
        const mark = await history.read(node, project, version, path);
        assert.equal(history.sha256Of(mark), published.get(name)?.sha256, `${name}/${path}`);
      }
    }
  }
}
