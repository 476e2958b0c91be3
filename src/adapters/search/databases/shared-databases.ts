import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { json, text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import type { BuiltIndex, DerivedFiles } from '../../../application/index.js';
import { FORMAT } from './schema.js';

/** Name of the file that a database is, among the files derived from its revision. */
export const DATABASE_NAME = `search-${FORMAT}.db`;
/** Written after the database, so that one without it is not whole. */
const FACTS_NAME = `search-${FORMAT}.json`;
/** Names the server that reads the pages now. */
const CLAIM_NAME = `search-${FORMAT}.claim`;
/** Interval between two looks for what another server builds, in milliseconds. */
const LOOK_MS = 2_000;
/** Max. looks: a server that was killed leaves its claim behind. Two servers may build, which costs time and nothing else. */
const MAX_LOOKS = 60;

interface Facts extends BuiltIndex {
  /** Bytes of the database. */
  readonly size: number;
}

/** Databases beside the archives of an object store: one server reads the pages of a version, the others fetch the result. */
export class SharedDatabases {
  /** Fetched revisions. A fetched revision that has to be built again was damaged when it arrived. */
  private readonly fetched = new Set<string>();

  constructor(
    private readonly derived: DerivedFiles,
    private readonly lookMs = LOOK_MS,
  ) {}

  /**
   * Writes the database of a revision into a new file, once another server that builds it has shared it.
   * @param server this one, by a name that it has after a restart, too
   * @returns undefined when this server is to build it
   */
  async fetch(
    revision: string,
    file: string,
    server: string,
    signal?: AbortSignal,
  ): Promise<BuiltIndex | undefined> {
    if (this.fetched.has(revision)) return undefined;
    for (let looks = 1; ; looks += 1) {
      const facts = await this.derived.open(revision, FACTS_NAME);
      if (facts !== undefined) return this.fetchShared(revision, file, (await json(facts.stream())) as Facts);
      const claim = await this.derived.open(revision, CLAIM_NAME);
      const claimant = claim && (await text(claim.stream()));
      if (claimant === undefined || claimant === server || looks === MAX_LOOKS) break;
      await setTimeout(this.lookMs, undefined, { signal });
    }
    await this.derived.write(revision, CLAIM_NAME, textOf(server));
    return undefined;
  }

  /** @returns undefined when the database is not whole */
  private async fetchShared(revision: string, file: string, facts: Facts): Promise<BuiltIndex | undefined> {
    const { size, ...built } = facts;
    const database = await this.derived.open(revision, DATABASE_NAME);
    if (database?.size !== size) {
      await database?.close();
      return undefined;
    }
    this.fetched.add(revision);
    await pipeline(database.stream(), createWriteStream(file));
    return built;
  }

  /** Shares a database. */
  async share(revision: string, file: string, built: BuiltIndex): Promise<void> {
    const { size } = await stat(file);
    const facts: Facts = { ...built, size };
    await this.derived.write(revision, DATABASE_NAME, contentOf(file));
    await this.derived.write(revision, FACTS_NAME, textOf(JSON.stringify(facts)));
  }
}

/** The bytes of a file, which is opened when they are asked for. */
async function* contentOf(file: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(file);
}

async function* textOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
