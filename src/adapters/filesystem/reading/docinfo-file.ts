import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReadDocinfo } from '../../../application/index.js';
import {
  DOCINFO_FILES,
  type DocinfoReading,
  docinfoTooLarge,
  MAX_DOCINFO_BYTES,
} from '../../../domain/index.js';
import { errnoOf, NOTHING_THERE, RUN_SHORT } from '../disk.js';

/** A link would lead out of the site. A FIFO would wait for a writer; to a regular file the second flag means nothing. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
/** Codes of `open` for a link with O_NOFOLLOW: Linux and macOS, FreeBSD, NetBSD. */
const IS_LINK = ['ELOOP', 'EMLINK', 'EFTYPE'];
/** Codes of `open` for a socket, and for a device without a driver. */
const IS_NO_FILE = ['ENXIO', 'ENODEV', 'EOPNOTSUPP'];
const NO_FILE = 'is not a regular file';

/** Time limit of one reading, in milliseconds. A file system on a network may never answer. */
const TIMEOUT_MS = 2_000;
/** Readings that may hang at a time: each holds one of the four threads that Node.js reads and writes files with. */
const MAX_HANGING = 2;

/** The docinfo files of sites, read one site at a time. A broken one is ignored. */
export class DocinfoFiles {
  /** Site directories whose reading has passed its time limit, and cannot be ended. */
  private readonly hanging = new Set<string>();

  constructor(
    private readonly read: ReadDocinfo,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {}

  /**
   * The first docinfo file at the root of a site.
   * @throws only when the process has run short of something: that says nothing of the file
   */
  async in(siteDirectory: string): Promise<DocinfoReading> {
    if (this.hanging.has(siteDirectory) || this.hanging.size >= MAX_HANGING) return NO_ANSWER;
    const reading = this.readFirst(siteDirectory);
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<DocinfoReading>((resolve) => {
      timer = setTimeout(() => {
        this.hanging.add(siteDirectory);
        const done = () => this.hanging.delete(siteDirectory);
        reading.then(done, done);
        resolve(NO_ANSWER);
      }, this.timeoutMs);
    });
    return Promise.race([reading, timeout]).finally(() => clearTimeout(timer));
  }

  private async readFirst(siteDirectory: string): Promise<DocinfoReading> {
    for (const name of DOCINFO_FILES) {
      try {
        const content = await readStart(join(siteDirectory, name));
        if (content === undefined) continue;
        if (typeof content === 'string') return { problem: `${name} ${content}` };
        if (content.length > MAX_DOCINFO_BYTES) return { problem: `${name} ${docinfoTooLarge}` };
        const { docinfo, problem } = this.read(content.toString('utf8'));
        if (problem !== undefined) return { problem: `${name} ${problem}` };
        return docinfo === undefined ? {} : { docinfo };
      } catch (error) {
        if (RUN_SHORT.includes(errnoOf(error) ?? '')) throw error;
        return { problem: `${name} cannot be read` };
      }
    }
    return {};
  }
}

const NO_ANSWER: DocinfoReading = { problem: 'docinfo was not read: the file system does not answer' };

/**
 * At most one byte more than is allowed, or why the file is not read. Undefined when there is nothing, or a directory,
 * which a site may well have for a page about docinfo files.
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
