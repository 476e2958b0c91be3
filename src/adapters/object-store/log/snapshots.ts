import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGunzip, createGzip } from 'node:zlib';
import * as z from 'zod';
import { parseSettings, settingsBody } from '../../../domain/index.js';
import { madeTokenOf, storedToken, storedTokenOf } from '../../../formats/api/tokens.js';
import type { ObjectClient } from '../client/object-client.js';
import { StoreError } from '../client/store-errors.js';
import { keys, PREFIXES } from '../keys.js';
import { parseRecord, type RevisionRecord, settingsRecord } from './commit.js';
import { StoreState } from './store-state.js';

/** Snapshots that are kept: a starting node may be reading the one before the newest. */
const MAX_KEPT = 2;

const FORMAT = 4;

/**
 * First line of a snapshot. Each further line is a record: the publications first, then publications that were replaced
 * or removed and are not purged. The whole is compressed with gzip.
 */
const header = z.object({
  format: z.literal(FORMAT),
  /** Number of the last commit that is in the snapshot. */
  number: z.int(),
  /** Nonce of the last commit. */
  nonce: z.string(),
  publications: z.int(),
  /** For each of the others: when it was replaced or removed, in milliseconds since 1970, and what else is known. */
  retired: z.array(
    z.object({
      at: z.number(),
      isReplaced: z.boolean(),
      isRestored: z.boolean().exactOptional(),
    }),
  ),
  settings: z.array(settingsRecord),
  /** Whether projects may be private. */
  hasPrivate: z.boolean(),
  /** Tokens that others have made. */
  tokens: z.array(storedToken),
});

/** Snapshots of the state, so that a start reads one object and the commits after it. Derived from the log. */
export class Snapshots {
  constructor(private readonly client: ObjectClient) {}

  /**
   * Reads the newest snapshot that is whole and understood; the empty state when there is none.
   * @throws StoreError
   */
  async read(): Promise<StoreState> {
    for (const key of (await this.stored()).reverse()) {
      // A cut or damaged snapshot: there is another one, or the log.
      const state = await this.readWhole(key);
      if (state !== undefined) return state;
    }
    return StoreState.empty();
  }

  /** Reads the newest snapshot; its state is undefined when it is damaged or not understood. @throws StoreError */
  async newest(): Promise<{ readonly key: string; readonly state: StoreState | undefined } | undefined> {
    const key = (await this.stored()).at(-1);
    return key === undefined ? undefined : { key, state: await this.readWhole(key) };
  }

  /** Writes a snapshot, and removes all but the newest ones. */
  async write(state: StoreState): Promise<void> {
    const { number } = state;
    const removed = [...state.removed.values()];
    const head: z.infer<typeof header> = {
      format: FORMAT,
      number,
      nonce: state.nonce,
      publications: state.size,
      retired: removed.map(({ record: _, ...rest }) => rest),
      settings: [...state.catalogue.settings].map(([project, settings]) => ({
        project,
        settings: settingsBody(settings),
      })),
      hasPrivate: state.hasPrivate,
      tokens: [...state.tokens.values()].map(storedTokenOf),
    };
    // Records are read at once: the state may change while it is compressed.
    const records = [...state.records, ...removed.map(({ record }) => record)];
    const lines = function* () {
      yield `${JSON.stringify(head)}\n`;
      for (const record of records) yield `${JSON.stringify(record)}\n`;
    };
    await this.client.put(keys.snapshot(number), await buffer(Readable.from(lines()).pipe(createGzip())));
    await this.client.remove((await this.stored()).slice(0, -MAX_KEPT));
  }

  /** Keys of the snapshots, oldest first. */
  private async stored(): Promise<string[]> {
    const stored: string[] = [];
    for await (const { key } of this.client.list(PREFIXES.snapshots)) stored.push(key);
    return stored;
  }

  /** Reads a snapshot; undefined when it is gone, damaged or not understood. */
  private async readWhole(key: string): Promise<StoreState | undefined> {
    try {
      return await this.parse(key);
    } catch (error) {
      if (error instanceof StoreError) throw error;
      return undefined;
    }
  }

  private async parse(key: string): Promise<StoreState | undefined> {
    const object = await this.client.get(key);
    if (object === undefined) return undefined;
    const bytes = await buffer(object.body);
    const lines = createInterface({ input: Readable.from([bytes]).pipe(createGunzip()) });
    let head: z.infer<typeof header> | undefined;
    const records: RevisionRecord[] = [];
    for await (const line of lines) {
      if (head === undefined) head = header.parse(JSON.parse(line));
      else records.push(parseRecord(line));
    }
    if (head === undefined || records.length !== head.publications + head.retired.length) return undefined;
    const published = records.slice(0, head.publications);
    const further = records.slice(head.publications);
    const removed = head.retired.flatMap((known, index) => {
      const record = further[index];
      return record === undefined ? [] : [{ ...known, record }];
    });
    const settings = head.settings.map(
      (each) => [each.project, parseSettings(each.project, each.settings)] as const,
    );
    return StoreState.of(
      head.number,
      head.nonce,
      published,
      removed,
      settings,
      head.hasPrivate,
      head.tokens.map(madeTokenOf),
    );
  }
}
