import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { UsageKey, UsageStore } from '../../application/index.js';
import {
  type Day,
  type Days,
  isDay,
  isProjectName,
  type PathCounts,
  type ProjectUsage,
  SEARCHERS,
  type UnfoundDay,
} from '../../domain/index.js';
import { jsonIn } from '../../formats/json.js';
import { refusing, unless } from '../../node/system-errors.js';
import { type Disk, diskRefusalOf, NOTHING_THERE, nodeDisk, writeNewFile } from './disk.js';
import { Layout } from './layout.js';
import type { Report } from './report.js';

/** A file that is being written, and gets its name when it is complete. */
const COMING = '.coming';
/** Directory for searches, a name that no project has. */
const SEARCHES = '.searches';
/** Age of one that a crash has left, in milliseconds. */
const LEFT_MS = 60 * 60 * 1000;

/** Counts of reads in a directory: `<project>/<day>.<writer>.json`. Any number of processes may write to it. */
export class FilesystemUsageStore implements UsageStore {
  /** Damaged files that have been reported. */
  private readonly reported = new Set<string>();

  /** @param directory is made with the first counts, if only its last part is missing */
  constructor(
    private readonly directory: string,
    private readonly report: Report = () => {},
    private readonly disk: Disk = nodeDisk,
  ) {}

  /** The directory for the counts of a docs directory. */
  static directoryIn(docs: string): string {
    return new Layout(docs).usage;
  }

  async write({ project, day, writer }: UsageKey, usage: ProjectUsage): Promise<void> {
    await this.writeFile(this.homeOf(project), `${day}.${writer}.json`, usageText(usage));
  }

  writeSearches(writer: string, { day, searches }: UnfoundDay): Promise<void> {
    const file: z.input<typeof searchesFile> = { format: 1, searches: searches.map((each) => ({ ...each })) };
    return this.writeFile(join(this.directory, SEARCHES), `${day}.${writer}.json`, JSON.stringify(file));
  }

  private async writeFile(home: string, name: string, text: string): Promise<void> {
    const { disk } = this;
    // Not recursive: a docs directory that is away is not made anew.
    for (const directory of [this.directory, home]) await unless(['EEXIST'], disk.mkdir(directory));
    const file = join(home, name);
    const coming = file + COMING;
    try {
      await disk.rm(coming, { force: true });
      await writeNewFile(disk, coming, text);
      await disk.rename(coming, file);
    } catch (error) {
      await disk.rm(coming, { force: true }).catch(() => {});
      throw error;
    }
  }

  async *read(
    project: string,
    { from, to }: Days,
  ): AsyncGenerator<{ readonly day: Day; readonly usages: readonly ProjectUsage[] }> {
    const home = this.homeOf(project);
    const files = await filesIn(home, { from, to });
    for (const day of new Set(files.map(dayIn).sort())) {
      const usages: ProjectUsage[] = [];
      for (const name of files.filter((each) => dayIn(each) === day)) {
        usages.push(...(await this.readFile(join(home, name), parseUsage)));
      }
      yield { day, usages };
    }
  }

  async readSearches(days: Days): Promise<readonly UnfoundDay[]> {
    const home = join(this.directory, SEARCHES);
    const read: UnfoundDay[] = [];
    for (const name of await filesIn(home, days)) {
      for (const searches of await this.readFile(join(home, name), parseSearches))
        read.push({ day: dayIn(name), searches });
    }
    return read;
  }

  async removeBefore(day: Day): Promise<void> {
    const projects = (await unless(NOTHING_THERE, readdir(this.directory))) ?? [];
    for (const each of projects.filter((name) => name === SEARCHES || isProjectName(name))) {
      const home = join(this.directory, each);
      for (const name of (await unless(NOTHING_THERE, readdir(home))) ?? []) {
        const file = join(home, name);
        const isOld = dayIn(name) !== '' && dayIn(name) < day;
        if (isOld || (name.endsWith(COMING) && (await isLeft(file))))
          await this.disk.rm(file, { force: true });
      }
      await unless(['ENOTEMPTY', 'EEXIST', ...NOTHING_THERE], this.disk.rmdir(home));
    }
  }

  /** @returns what is in a file; nothing for a damaged one, or one that has just been removed */
  private async readFile<T>(file: string, parse: (text: string) => T | undefined): Promise<readonly T[]> {
    const text = await refusing(diskRefusalOf, () => unless(NOTHING_THERE, readFile(file, 'utf8')));
    const content = text === undefined ? undefined : parse(text);
    if (content !== undefined) return [content];
    if (text !== undefined && !this.reported.has(file)) {
      this.reported.add(file);
      this.report('counts of reads are damaged and were skipped', { file });
    }
    return [];
  }

  private homeOf(project: string): string {
    if (!isProjectName(project)) throw new RangeError(`not a project name: ${project}`);
    return join(this.directory, project);
  }
}

/** Names of the files of some days. */
async function filesIn(home: string, { from, to }: Days): Promise<readonly string[]> {
  const names = (await refusing(diskRefusalOf, () => unless(NOTHING_THERE, readdir(home)))) ?? [];
  return names.filter((name) => !name.endsWith(COMING) && dayIn(name) >= from && dayIn(name) <= to);
}

/** The day in the name of a file; empty for other files. */
function dayIn(name: string): Day {
  const [, day = ''] = /^([\d-]{10})\.[a-z\d-]{1,60}\.json(?:\.coming)?$/.exec(name) ?? [];
  return isDay(day) ? day : '';
}

async function isLeft(file: string): Promise<boolean> {
  const found = await unless(NOTHING_THERE, stat(file));
  return found !== undefined && found.mtimeMs < Date.now() - LEFT_MS;
}

const count = z.int().min(0);
// Pairs, not members: a path may be `__proto__`.
const paths = z.array(z.tuple([z.string(), count])).transform((pairs) => new Map(pairs));
const counts = z.object({ total: count, paths });
const usageFile = z.object({
  format: z.literal(1),
  versions: z.array(z.object({ version: z.string(), reads: counts, agents: counts, misses: counts })),
});

/** Formats counts as the text of a file. */
function usageText(usage: ProjectUsage): string {
  const pairs = ({ total, paths }: PathCounts) => ({ total, paths: [...paths] });
  const versions = Array.from(usage, ([version, { reads, agents, misses }]) => ({
    version,
    reads: pairs(reads),
    agents: pairs(agents),
    misses: pairs(misses),
  }));
  const file: z.input<typeof usageFile> = { format: 1, versions };
  return JSON.stringify(file);
}

/** Reads the text of a file; undefined for one that is damaged, or of a newer format. */
function parseUsage(text: string): ProjectUsage | undefined {
  const file = usageFile.safeParse(jsonIn(text)).data;
  return file && new Map(file.versions.map(({ version, ...usage }) => [version, usage]));
}

const searchesFile = z.object({
  format: z.literal(1),
  searches: z.array(z.object({ query: z.string(), by: z.enum(SEARCHERS), clients: count })),
});

/** Reads the text of a file with searches, likewise. */
function parseSearches(text: string): UnfoundDay['searches'] | undefined {
  return searchesFile.safeParse(jsonIn(text)).data?.searches;
}
