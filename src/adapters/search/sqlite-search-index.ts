import { createHash } from 'node:crypto';
import { open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { availableParallelism, hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import {
  type BuiltIndex,
  type DerivedFiles,
  type LiveRevision,
  readSite,
  type SearchAnswer,
  type SearchableSite,
  type SearchIndex,
  type SearchOptions,
  SharedWork,
  type Waiter,
} from '../../application/index.js';
import { LruCache } from '../../domain/index.js';
import { makeDirectory, syncFile } from '../../node/directories.js';
import { documentParsers } from '../../node/document-parsers.js';
import { unless } from '../../node/system-errors.js';
import { Builder, MAX_BUILDERS } from './apart/builder.js';
import { SearchThreads } from './apart/search-threads.js';
import { buildDatabase } from './databases/build-database.js';
import { SharedDatabases } from './databases/shared-databases.js';
import { Searcher } from './finding/searcher.js';

/** Max. characters of kept answers, about. */
const MAX_KEPT_CHARACTERS = 4_000_000;
/** Size of a kept answer besides its texts, in characters. */
const OVERHEAD_OF_ANSWER = 500;

interface SqliteSearchIndexOptions {
  /**
   * Local file for the database of a revision: all have one name, each in a directory of its own, which is made when it is missing.
   */
  readonly fileOf: (revision: string) => string;
  /**
   * Whether processes of low priority build, and threads search: a server goes on answering meanwhile, and they give
   * their memory back. @default false
   */
  readonly isApart?: boolean;
  /** Where servers without a common disk share the databases that they have built. */
  readonly shared?: DerivedFiles;
}

const PART = '.part';
/** Max. threads that search: more would leave readers no core. */
const MAX_THREADS = Math.min(availableParallelism(), 4);

/**
 * A search index of one SQLite database for each revision, with FTS5. A database is written aside, renamed into place and
 * never changed. It can be deleted at any time, and several processes can read it.
 */
export class SqliteSearchIndex implements SearchIndex {
  private readonly searcher: Searcher | SearchThreads;
  /** None: this process builds by itself. */
  private readonly builders: readonly Builder[];
  private readonly shared: SharedDatabases | undefined;
  private readonly answers = new SharedAnswers();
  private builds = 0;
  private swept: Promise<void> | undefined;

  constructor(private readonly options: SqliteSearchIndexOptions) {
    this.shared = options.shared && new SharedDatabases(options.shared);
    const { isApart = false } = options;
    this.builders = Array.from({ length: isApart ? MAX_BUILDERS : 0 }, () => new Builder());
    this.searcher = isApart ? new SearchThreads(MAX_THREADS) : new Searcher();
  }

  async build(revision: string, site: SearchableSite, signal?: AbortSignal): Promise<BuiltIndex> {
    const file = this.options.fileOf(revision);
    this.builds += 1;
    const aside = `${file}.${process.pid}-${this.builds}${PART}`;
    await makeDirectory(dirname(dirname(file)));
    await makeDirectory(dirname(file));
    this.swept ??= removeParts(dirname(dirname(file)), basename(file)).catch((error: unknown) => {
      this.swept = undefined;
      throw error;
    });
    await this.swept;
    try {
      const server = `${hostname()}:${file}`;
      const fetched = await this.shared?.fetch(revision, aside, server, signal).catch(() => undefined);
      const built = fetched ?? (await this.buildInto(aside, site, signal));
      await syncFile({ open }, aside);
      await replace(file, aside);
      // Other servers build it by themselves if it cannot be shared.
      if (fetched === undefined) await this.shared?.share(revision, file, built).catch(() => {});
      return built;
    } catch (error) {
      await rm(aside, { force: true });
      await removeEmpty(dirname(file));
      throw error;
    } finally {
      this.forget(file);
    }
  }

  private async buildInto(file: string, site: SearchableSite, signal?: AbortSignal): Promise<BuiltIndex> {
    // A copy that came in part may be there.
    await rm(file, { force: true });
    const [builder] = this.builders.toSorted((a, b) => a.waiting - b.waiting);
    return builder?.build(file, site, signal) ?? buildDatabase(file, readSite(site, documentParsers, signal));
  }

  async has(revision: string): Promise<boolean> {
    return stat(this.options.fileOf(revision)).then(
      (entry) => entry.isFile(),
      () => false,
    );
  }

  async drop(revision: string): Promise<void> {
    const file = this.options.fileOf(revision);
    this.forget(file);
    await rm(file, { force: true });
    await removeEmpty(dirname(file));
  }

  async search(
    query: string,
    live: readonly LiveRevision[],
    options: SearchOptions,
    waiter: Waiter = {},
  ): Promise<SearchAnswer> {
    const searched = live.map(({ revision, project }) => ({
      revision,
      project,
      file: this.options.fileOf(revision),
    }));
    const question = questionOf(query, live, options);
    return this.answers.ask(question, waiter.signal, (signal) =>
      this.searcher instanceof SearchThreads
        ? this.searcher.search({ query, live: searched, options }, { ...waiter, signal })
        : this.searcher.search(query, searched, options),
    );
  }

  private forget(file: string): void {
    this.answers.forget();
    this.searcher.forget(file);
  }

  async close(): Promise<void> {
    for (const builder of this.builders) builder.close();
    await this.searcher.close();
  }
}

/** Returns a hash of everything that an answer depends on: there may be thousands of revisions. */
function questionOf(query: string, live: readonly LiveRevision[], options: SearchOptions): string {
  const { synonyms = [], reads = [], ...others } = options;
  const hash = createHash('sha256').update(JSON.stringify([query, others, [...synonyms], [...reads]]));
  for (const { revision, project } of live) hash.update(`${revision}/${project} `);
  return hash.digest('base64');
}

/**
 * Removes the files that killed builds have left, also of versions that nobody indexes any more. A build of another server that
 * is still running fails, and is repeated.
 */
async function removeParts(home: string, database: string): Promise<void> {
  for (const revision of await readdir(home)) {
    const directory = join(home, revision);
    const names = await unless(['ENOENT', 'ENOTDIR'], readdir(directory));
    for (const name of names ?? []) {
      if (name.startsWith(`${database}.`) && name.endsWith(PART))
        await rm(join(directory, name), { force: true });
    }
  }
}

/** Renames a file into the place of another one, or of whatever somebody has put there. */
async function replace(file: string, by: string): Promise<void> {
  if ((await stat(file).catch(() => undefined))?.isDirectory()) await rm(file, { recursive: true });
  await rename(by, file);
}

/** Removes a directory, unless something is in it. */
async function removeEmpty(directory: string): Promise<void> {
  await rmdir(directory).catch(() => {});
}

/** Answers the same question once: while its search runs, and as long as nothing was built or dropped since. */
export class SharedAnswers {
  private kept = noAnswers();
  private readonly running = new SharedWork<SearchAnswer>();

  /**
   * Returns the answer to a question. The search ends when nobody waits for it any more.
   * @param question everything that the answer depends on
   * @throws what `search` throws; the reason of the signal
   */
  async ask(
    question: string,
    signal: AbortSignal | undefined,
    search: (signal: AbortSignal) => Promise<SearchAnswer>,
  ): Promise<SearchAnswer> {
    signal?.throwIfAborted();
    return (
      this.kept.get(question) ??
      this.running.of(question, signal, async (stillAsked) => {
        const { kept } = this;
        const found = await search(stillAsked);
        // After `forget` nobody looks into this cache.
        if (found.missing.length === 0 && found.incomplete !== true) kept.set(question, found);
        return found;
      })
    );
  }

  /** Forgets the answers of all searches so far, running ones included: later questions search again. */
  forget(): void {
    this.kept = noAnswers();
    this.running.forget();
  }
}

function noAnswers(): LruCache<SearchAnswer> {
  return new LruCache(MAX_KEPT_CHARACTERS, ({ results }) =>
    results
      .flatMap((result) => [result, ...(result.sameIn ?? [])])
      .reduce(
        (sum, { path, title, heading = '', snippet, way = [] }) =>
          sum +
          OVERHEAD_OF_ANSWER +
          path.length +
          title.length +
          heading.length +
          way.join('').length +
          lengthOf(snippet),
        OVERHEAD_OF_ANSWER,
      ),
  );
}

function lengthOf(snippet: SearchAnswer['results'][number]['snippet']): number {
  return snippet.reduce((sum, { text }) => sum + text.length, 0);
}
