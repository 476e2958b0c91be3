import assert from 'node:assert/strict';
import { parentPort, workerData } from 'node:worker_threads';
import fc from 'fast-check';
import { Clearing } from '../../src/adapters/object-store/clearing.js';
import type {
  ListedObject,
  Listing,
  LocalFile,
  ObjectClient,
} from '../../src/adapters/object-store/client/object-client.js';
import { commitOfKey, keys, PREFIXES } from '../../src/adapters/object-store/keys.js';
import { parseCommit } from '../../src/adapters/object-store/log/commit.js';
import { CommitLog, LogBroken } from '../../src/adapters/object-store/log/commit-log.js';
import { Replica } from '../../src/adapters/object-store/log/replica.js';
import type { Snapshots } from '../../src/adapters/object-store/log/snapshots.js';
import { StoreState } from '../../src/adapters/object-store/log/store-state.js';
import { newRevision, ObjectPublisher } from '../../src/adapters/object-store/object-publisher.js';
import { Refusal } from '../../src/domain/index.js';
import { ArchiveIndex } from '../../src/formats/index.js';

const NODES = 3;
const NAMES = ['a', 'b', 'c'];
const ARCHIVE_BYTES = 100;
const DAMAGES = ['lose', 'double', 'swap', 'rollback'];
/** A log of some length. Then nodes 0 and 1 start. */
const PRELUDE = ['start 0', 'publish 0 0', 'publish 0 1', 'publish 0 2', 'publish 0 0', 'remove 0 1'];
const NO_INDEX = ArchiveIndex.of([]);

/*
 * A program for a thread. A history is a list of steps, after the prelude: `publish 0 1` publishes the version of project b on
 * node 0, `rollback 2` leaves two commits of the log, `swap 0 3` exchanges the first commit and the fourth. `poll` is the poll of
 * each second. `look` is, for all nodes, that of each minute, which asks for the newest commit as well: without that, a node that
 * polls behind a hole cannot know of it.
 */

/** Objects by key; of archives only the size. */
type Objects = Map<string, Uint8Array | number>;

/** A commit that a node has made. */
interface Committed {
  readonly number: number;
  readonly bytes: Uint8Array;
  readonly commit: ReturnType<typeof parseCommit>;
}

/** A store in memory without delays and faults, which never has a file read. */
class ModelClient implements ObjectClient {
  constructor(
    private readonly objects: Objects,
    /** Hears of each commit that is created. */
    private readonly onCommit: (commit: Committed) => void,
  ) {}

  async create(key: string, bytes: Uint8Array): Promise<'created' | 'exists'> {
    if (this.objects.has(key)) return 'exists';
    this.objects.set(key, bytes);
    const number = commitOfKey(key) ?? 0;
    this.onCommit({ bytes, commit: parseCommit(Buffer.from(bytes).toString(), number), number });
    return 'created';
  }

  async put(key: string, content: Uint8Array | LocalFile): Promise<void> {
    this.objects.set(key, content instanceof Uint8Array ? content : content.size);
  }

  async get(key: string) {
    const object = this.objects.get(key);
    if (object === undefined) return undefined;
    const [size, bytes] = typeof object === 'number' ? [object, new Uint8Array()] : [object.length, object];
    const body = (async function* () {
      yield bytes;
    })();
    return { size, etag: '', body };
  }

  async *list(prefix: string, { max }: Listing = {}): AsyncGenerator<ListedObject> {
    const found = [...this.objects.keys()].filter((key) => key.startsWith(prefix)).sort();
    for (const key of found.slice(0, max)) yield { key, size: 0, modifiedAt: new Date(0) };
  }

  async remove(gone: Iterable<string>): Promise<void> {
    for (const key of gone) this.objects.delete(key);
  }

  time(): undefined {}

  async presignedGet(): Promise<string> {
    throw new Error('not in this model');
  }

  async close(): Promise<void> {}
}

/** Snapshots that are not compressed: this saves most of the time. */
class ModelSnapshots implements Pick<Snapshots, 'read' | 'write'> {
  constructor(private readonly stored: Map<number, () => StoreState>) {}

  async read(): Promise<StoreState> {
    const newest = this.stored.get(Math.max(0, ...this.stored.keys()));
    return newest?.() ?? StoreState.empty();
  }

  async write(state: StoreState): Promise<void> {
    const { number, nonce } = state;
    const [records, removed] = [[...state.records], [...state.removed.values()]];
    this.stored.set(number, () => StoreState.of(number, nonce, records, removed));
  }
}

interface Node {
  readonly replica: Replica;
  readonly clearing: Clearing;
  readonly publisher: ObjectPublisher;
}

/** A store, the nodes on it, and their expected state: all that was ever committed, whatever happens to the log. */
class World {
  private readonly objects: Objects = new Map();
  /** Snapshots keyed by the number of their last commit. */
  private readonly snapshots = new Map<number, () => StoreState>();
  private readonly nodes: (Node | undefined)[] = [];
  /** The commits that nodes have made, the first one first. */
  private readonly committed: Committed[] = [];
  private readonly truth = StoreState.empty();
  private readonly client = new ModelClient(this.objects, (committed) => this.commit(committed));

  /** @param seen numbers of doubts, and of agreements in spite of a damaged log */
  constructor(
    private readonly seen: { doubts: number; agreements: number },
    /** Whether nodes leave a mark of the newest commit. Without it, nothing happens to the newest one. */
    private readonly isMarked: boolean,
  ) {}

  /** A world with the same store, and no nodes on it. */
  copy(seen: World['seen'], isMarked: boolean): World {
    const world = new World(seen, isMarked);
    for (const [key, object] of this.objects) world.objects.set(key, object);
    for (const [number, snapshot] of this.snapshots) world.snapshots.set(number, snapshot);
    for (const each of this.committed) world.commit(each);
    return world;
  }

  /** Takes one step, such as `publish 0 1`. A node in doubt may refuse it. */
  async take(step: string): Promise<void> {
    const [verb = '', x = 0, y = 0] = step.split(' ').map((word, n) => (n === 0 ? word : Number(word))) as [
      string,
      number,
      number,
    ];
    const node = this.nodes[x % NODES];
    const length = Math.max(this.committed.length, 1);
    const [one, other] = [keys.commit((x % length) + 1), keys.commit((y % (length + 1)) + 1)];
    const [first, second] = [this.objects.get(one), this.objects.get(other)];
    if (verb === 'start' && node === undefined) this.nodes[x % NODES] = await this.started();
    if (verb === 'stop') await this.stop(x % NODES);
    // Objects of an upload that never gets a commit.
    if (verb === 'leave') this.objects.set(keys.archive(newRevision()), ARCHIVE_BYTES);
    if (!this.isMarked) {
      this.objects.delete(keys.head);
      const newest = keys.commit(length);
      if (DAMAGES.includes(verb) && (verb === 'rollback' || one === newest || other <= newest)) return;
    }
    if (verb === 'lose') this.objects.delete(one);
    if (verb === 'double' && first !== undefined) this.objects.set(other, first);
    if (verb === 'swap' && first !== undefined && second !== undefined) {
      this.objects.set(one, second);
      this.objects.set(other, first);
    }
    if (verb === 'rollback') {
      for (let number = length; number > x % length; number--) this.objects.delete(keys.commit(number));
    }
    if (verb === 'restore') await this.restoreLog();
    if (verb === 'look') await this.lookAll();
    if (node !== undefined) await this.act(verb, node, NAMES[y % NAMES.length] ?? '');
    this.assertNothingLost();
  }

  private commit(committed: Committed): void {
    const { number, commit } = committed;
    assert.equal(number, this.committed.length + 1, `commit ${number} fills a hole`);
    this.committed.push(committed);
    this.truth.apply(commit);
  }

  private get isDamaged(): boolean {
    return this.committed.some(({ number, bytes }) => this.objects.get(keys.commit(number)) !== bytes);
  }

  /** Lets a node act, by itself or for a user. */
  private async act(verb: string, { replica, clearing, publisher }: Node, project: string): Promise<void> {
    const isIts = ({ record }: { readonly record: { readonly project: string } }) =>
      record.project === project;
    const acts: Record<string, () => Promise<unknown>> = {
      poll: () => replica.follow(),
      sweep: () => clearing.sweep(1, { all: true }),
      purge: () => clearing.purge(isIts),
      publish: () => publisher.publish(recordOf(project), '', NO_INDEX, { replace: true }),
      remove: () =>
        replica.change(({ catalogue }) => {
          const version = catalogue.version(`${project}-1`);
          return version && { kind: 'remove', project, version: '1', revision: version.revision };
        }),
    };
    const wasInDoubt = replica.doubt !== undefined;
    await acts[verb]?.().catch(expectDoubt);
    // A node is not ready again before it knows all.
    if (wasInDoubt && replica.doubt === undefined) assert.deepEqual(shown(replica), shown(this.truth));
    // A snapshot is written in the background.
    await new Promise(setImmediate);
  }

  /** All that the log named, and no purge has taken, can still be read. */
  private assertNothingLost(): void {
    for (const { revision, project } of [
      ...this.truth.records,
      ...[...this.truth.removed.values()].map(({ record }) => record),
    ]) {
      assert.ok(this.objects.has(keys.archive(revision)), `the archive of a version of ${project} is lost`);
    }
  }

  /** Lets all nodes read the log, and asserts that those without a doubt then show all that was committed. */
  private async lookAll(): Promise<void> {
    for (const node of this.nodes) await node?.replica.follow(true).catch(expectDoubt);
    for (const [name, node] of this.nodes.entries()) {
      if (node === undefined) continue;
      if (node.replica.doubt !== undefined) this.seen.doubts += 1;
      if (node.replica.doubt !== undefined) continue;
      if (this.isDamaged) this.seen.agreements += 1;
      assert.deepEqual(
        shown(node.replica),
        shown(this.truth),
        `node ${name} is ready, and shows other versions`,
      );
    }
  }

  /** Puts the log back as it was written. Then all nodes are ready. */
  private async restoreLog(): Promise<void> {
    for (const key of [...this.objects.keys()]) if (key.startsWith(PREFIXES.log)) this.objects.delete(key);
    for (const { number, bytes } of this.committed) this.objects.set(keys.commit(number), bytes);
    await this.lookAll();
    for (const node of this.nodes) assert.equal(node?.replica.doubt, undefined, 'a doubt without a reason');
  }

  private async started(): Promise<Node> {
    const snapshots = new ModelSnapshots(this.snapshots);
    const options = { pollMs: 1_000_000, report: () => {}, minBetweenSnapshots: 3 };
    const replica = await Replica.open(new CommitLog(this.client), snapshots, options);
    const clearing = new Clearing(this.client, replica, 0);
    const publisher = new ObjectPublisher(this.client, replica, { remember() {} }, { adopt: async () => {} });
    return { replica, clearing, publisher };
  }

  private async stop(name: number): Promise<void> {
    await this.nodes[name]?.replica.close();
    this.nodes[name] = undefined;
  }

  /** Ends the history: all look, with the log as it is, and then with the whole one. */
  async end(): Promise<void> {
    try {
      await this.take('look');
      await this.take('restore');
    } finally {
      for (let name = 0; name < NODES; name++) await this.stop(name);
    }
  }
}

function recordOf(project: string) {
  return {
    revision: newRevision(),
    project,
    version: '1',
    publishedAt: new Date('2026-01-01'),
    archive: { size: ARCHIVE_BYTES, sha256: '' },
    site: { files: 1, bytes: 1 },
    token: 'ci',
  };
}

const shown = (from: Pick<Replica, 'catalogue'> | StoreState) =>
  [...from.catalogue.all()].map(({ revision }) => revision).sort();

function expectDoubt(error: unknown): void {
  if (!(error instanceof LogBroken || error instanceof Refusal)) throw error;
}

const number = fc.nat({ max: 8 });
const step = (verb: string) => fc.tuple(number, number).map(([x, y]) => `${verb} ${x} ${y}`);
const steps = fc.array(
  fc.oneof(
    { arbitrary: step('start'), weight: 4 },
    { arbitrary: step('stop'), weight: 2 },
    { arbitrary: step('publish'), weight: 6 },
    { arbitrary: step('remove'), weight: 2 },
    { arbitrary: step('purge'), weight: 1 },
    { arbitrary: step('poll'), weight: 2 },
    { arbitrary: step('look'), weight: 1 },
    { arbitrary: step('sweep'), weight: 3 },
    { arbitrary: step('leave'), weight: 1 },
    { arbitrary: step('lose'), weight: 1 },
    { arbitrary: step('double'), weight: 1 },
    { arbitrary: step('swap'), weight: 1 },
    { arbitrary: step('rollback'), weight: 1 },
    { arbitrary: step('restore'), weight: 1 },
  ),
  { minLength: 1, maxLength: 16, size: 'max' },
);

/** Some histories of one kind. */
export interface Histories {
  readonly count: number;
  readonly isMarked: boolean;
}

export interface Outcome {
  /** The shrunk counterexample, if there is one. */
  readonly failure?: unknown;
  readonly seen: { readonly doubts: number; readonly agreements: number };
}

async function run({ count, isMarked }: Histories): Promise<Outcome> {
  const seen = { doubts: 0, agreements: 0 };
  const prepared = new World(seen, isMarked);
  for (const each of PRELUDE) await prepared.take(each);
  await prepared.take('stop 0');
  const property = fc.asyncProperty(steps, async (history) => {
    const world = prepared.copy(seen, isMarked);
    for (const each of ['start 0', 'start 1', ...history]) await world.take(each);
    await world.end();
  });
  return fc.assert(property, { numRuns: count }).then(
    () => ({ seen }),
    (failure: unknown) => ({ seen, failure }),
  );
}

const outcomes: Outcome[] = [];
for (const each of workerData as readonly Histories[]) outcomes.push(await run(each));
parentPort?.postMessage(outcomes);
