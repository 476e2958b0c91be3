import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { type ReadDocinfo, within } from '../../../application/index.js';
import {
  DOCINFO_FILES,
  type DocinfoReading,
  type Download,
  docinfoTooLarge,
  downloadsIn,
  LruCache,
  MAX_DOCINFO_BYTES,
  type NamedDownload,
  SitePath,
} from '../../../domain/index.js';
import { errnoOf, hasErrno } from '../../../node/system-errors.js';
import { copiedSizeOf } from '../copied/copied-directories.js';
import { NOTHING_THERE, RUN_SHORT } from '../disk.js';

/** O_NOFOLLOW: a link would lead out of the site. O_NONBLOCK: a FIFO would wait for a writer. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
/** Codes of `open` for a link with O_NOFOLLOW: Linux and macOS, FreeBSD, NetBSD. */
const IS_LINK = ['ELOOP', 'EMLINK', 'EFTYPE'];
/** Codes of `open` for a socket, and for a device without a driver. */
const IS_NO_FILE = ['ENXIO', 'ENODEV', 'EOPNOTSUPP'];
const NO_FILE = 'is not a regular file';

/** Timeout of one read, in milliseconds: a network file system may never answer. */
const MAX_READING_MS = 2_000;
/** Max. hanging reads: each holds one of the four threads of Node's pool. */
const MAX_HANGING = 2;

/** Max. characters of docinfo files whose fields are cached: those of copied-in directories are read again and again. */
const MAX_CACHED = 1024 * 1024;

/** The fields of a site's docinfo, and the downloads that it names and the site has; or why it was ignored. */
interface DocinfoOfSite extends Pick<DocinfoReading, 'docinfo' | 'problem'> {
  /** At least one; undefined for none. */
  readonly downloads?: readonly Download[];
}

/** Reader of sites' docinfo files. A broken file is ignored. */
export class DocinfoFiles {
  /** Site directories whose read has timed out, but cannot be cancelled. */
  private readonly hanging = new Set<string>();
  /** Keyed by the text of the file. */
  private readonly cache = new LruCache<DocinfoReading>(MAX_CACHED, (_, text) => 200 + text.length);

  constructor(
    private readonly read: ReadDocinfo,
    private readonly timeoutMs = MAX_READING_MS,
  ) {}

  /**
   * Reads the first docinfo file at the root of a site.
   * @throws only errors of `RUN_SHORT`, which say nothing about the file
   */
  async in(siteDirectory: string): Promise<DocinfoOfSite> {
    if (this.hanging.has(siteDirectory) || this.hanging.size >= MAX_HANGING) return NO_ANSWER;
    const reading = this.readFirst(siteDirectory);
    const read = await within(this.timeoutMs, reading);
    if (read !== undefined) return read;
    this.hanging.add(siteDirectory);
    const done = () => this.hanging.delete(siteDirectory);
    reading.then(done, done);
    return NO_ANSWER;
  }

  private async readFirst(siteDirectory: string): Promise<DocinfoOfSite> {
    for (const name of DOCINFO_FILES) {
      try {
        const content = await readStart(join(siteDirectory, name));
        if (content === undefined) continue;
        if (typeof content === 'string') return { problem: `${name} ${content}` };
        if (content.length > MAX_DOCINFO_BYTES) return { problem: `${name} ${docinfoTooLarge}` };
        const text = content.toString('utf8');
        const {
          docinfo,
          problem,
          downloads: named = [],
        } = this.cache.get(text) ?? this.cache.set(text, this.read(text));
        if (problem !== undefined) return { problem: `${name} ${problem}` };
        const downloads = await downloadsOf(siteDirectory, named);
        return { ...(docinfo && { docinfo }), ...(downloads.length > 0 && { downloads }) };
      } catch (error) {
        if (hasErrno(error, RUN_SHORT)) throw error;
        return { problem: `${name} cannot be read` };
      }
    }
    return {};
  }
}

const NO_ANSWER: DocinfoOfSite = { problem: 'docinfo was not read: the file system does not respond' };

/** Returns the downloads that are files of a copied-in site: what a link leads to counts where the site serves it. */
async function downloadsOf(site: string, named: readonly NamedDownload[]): Promise<readonly Download[]> {
  const sizes = new Map<string, number>();
  for (const { file } of named) {
    const path = SitePath.of(file);
    const size =
      path &&
      (await copiedSizeOf(site, path).catch((error: unknown) => {
        if (hasErrno(error, RUN_SHORT)) throw error;
        return undefined;
      }));
    if (size !== undefined) sizes.set(file, size);
  }
  return downloadsIn(named, (file) => sizes.get(file)).downloads;
}

/**
 * Reads at most one byte more than is allowed. Returns why a file is not read; undefined for a missing file, and for a
 * directory, which a site may have for a page about docinfo files.
 */
async function readStart(file: string): Promise<Buffer | string | undefined> {
  const handle = await open(file, FLAGS).catch((error: unknown) => {
    const code = errnoOf(error) ?? '';
    if (IS_LINK.includes(code)) return 'is a link, and links are not followed';
    if (IS_NO_FILE.includes(code)) return NO_FILE;
    if (NOTHING_THERE.includes(code)) return undefined;
    throw error;
  });
  if (handle === undefined || typeof handle === 'string') return handle;
  try {
    const stats = await handle.stat();
    if (stats.isDirectory()) return undefined;
    if (!stats.isFile()) return NO_FILE;
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAX_DOCINFO_BYTES + 1), { position: 0 });
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
