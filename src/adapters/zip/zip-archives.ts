import { availableParallelism } from 'node:os';
import type {
  ArchiveContent,
  ArchiveLimits,
  Archives,
  IndexedArchive,
  ReadDocinfo,
  UnpackRequest,
} from '../../application/ports/archives.js';
import { downloadsIn } from '../../domain/index.js';
import { ArchiveIndex } from '../../formats/archive-index.js';
import { programBeside } from '../../node/background/program.js';
import { ThreadPool } from '../../node/background/thread-pool.js';
import type { FoundContent } from './jobs/site-facts.js';

type Jobs = typeof import('./jobs/program.js');

/**
 * Max. threads that unpack. More than two would only compete for the disk and the processors; on one processor, a second
 * thread finishes nothing sooner, and doubles the time that a page waits.
 */
const MAX_UNPACKING = Math.min(2, availableParallelism());
/** Max. threads that pack and verify: two, so that a small download need not wait for a large one. */
const MAX_PACKING = 2;
/**
 * Time that an idle thread waits for a job, in milliseconds. Starting one costs 0.1 s of processor time, several times
 * the cost of a small site.
 */
const IDLE_MS = 30_000;
/** Mebibytes of a thread's young objects. More would only keep more inflated files, whose memory lies outside of it. */
const YOUNG_MIB = 1;

/** Zip archives, read with yauzl and written with yazl, on worker threads only. */
export class ZipArchives implements Archives {
  private readonly unpacking = threads(MAX_UNPACKING);
  /** For packing and checking: no upload waits until a large download is packed. */
  private readonly packing = threads(MAX_PACKING);
  /** Start of a thread for an archive that is expected. */
  private preparing: Promise<void> | undefined;

  /** @param readDocinfo reader of docinfo files; without it they are ignored */
  constructor(private readonly readDocinfo: ReadDocinfo = () => ({})) {}

  expect(): void {
    this.preparing ??= this.unpacking
      .run('prepare', undefined)
      .catch(() => {
        // Unpacking will fail the same way.
      })
      .finally(() => {
        this.preparing = undefined;
      });
  }

  async unpack(request: UnpackRequest): Promise<ArchiveContent> {
    // Otherwise a second thread would start beside the one that is about to be ready.
    if (this.preparing !== undefined) await this.preparing;
    return this.withDocinfo(await this.unpacking.run('unpack', request));
  }

  async index(archiveFile: string, limits: ArchiveLimits, readsLinks = false): Promise<IndexedArchive> {
    const { index: text, ...found } = await this.unpacking.run('index', { archiveFile, limits, readsLinks });
    const index = ArchiveIndex.parse(text);
    if (index === undefined) throw new Error('The archive worker returned an index that cannot be read');
    return { ...this.withDocinfo(found), index };
  }

  /** @param max max. differences to return; default: all */
  verify(
    archiveFile: string,
    siteDirectory: string,
    max = Number.POSITIVE_INFINITY,
  ): Promise<readonly string[]> {
    return this.packing.run('verify', { archiveFile, siteDirectory, max });
  }

  /** @throws EEXIST when `archiveFile` exists */
  async pack(siteDirectory: string, archiveFile: string): Promise<void> {
    await this.packing.run('pack', { siteDirectory, archiveFile });
  }

  /** Aborts running unpacking and packing at the next file, with `unavailable`. Leaves no files behind. */
  giveUp(): void {
    this.unpacking.giveUp();
    this.packing.giveUp();
  }

  /** Waits for accepted jobs. */
  async close(): Promise<void> {
    await this.preparing;
    await Promise.all([this.unpacking.finish(), this.packing.finish()]);
  }

  private withDocinfo({ docinfoFile, sizes, ...found }: FoundContent): ArchiveContent {
    if (docinfoFile === undefined) return found;
    const { docinfo, problem, unknown, downloads: named } = this.readDocinfo(docinfoFile.text);
    if (problem !== undefined) return { ...found, docinfoProblem: `${docinfoFile.name} ${problem}` };
    const { downloads: linked, ...facts } = found.facts;
    const own = named && downloadsIn(named, (file) => sizes?.get(file));
    const downloads = own?.downloads ?? linked ?? [];
    const { logo, ...others } = docinfo ?? {};
    const lacksLogo = logo !== undefined && sizes !== undefined && !hasFile(sizes, logo);
    const missing = [...(lacksLogo ? [logo] : []), ...(own?.missing ?? [])];
    return {
      ...found,
      facts: {
        ...facts,
        ...(docinfo === undefined ? {} : { docinfo: lacksLogo ? others : docinfo }),
        ...(downloads.length === 0 ? {} : { downloads }),
      },
      ...(unknown === undefined ? {} : { unknownFields: { file: docinfoFile.name, fields: unknown } }),
      ...(missing.length === 0 ? {} : { missingFiles: { file: docinfoFile.name, paths: missing } }),
    };
  }
}

/** Whether a site has a file, in any Unicode composition of its path. */
function hasFile(files: ReadonlyMap<string, unknown>, path: string): boolean {
  return files.has(path) || [...files.keys()].some((each) => each.normalize() === path.normalize());
}

function threads(maxThreads: number): ThreadPool<Jobs> {
  return new ThreadPool({
    program: programBeside(import.meta.url, './jobs/program'),
    maxThreads,
    idleMs: IDLE_MS,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB },
  });
}
