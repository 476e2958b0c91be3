import {
  type BigIntStats,
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { Readable } from 'node:stream';
import { refuse } from '../../../domain/refusal/refuse.js';
import { SitePath } from '../../../domain/site-path.js';
import { hasErrno } from '../../../node/system-errors.js';
import { assertNotEnding } from './content.js';

/** Max. bytes of a file that are read at once. */
const CHUNK = 256 * 1024;
/** yazl writes no time before 1970: it fails. */
const EARLIEST = new Date(0);
/** Open flags: no symbolic link is followed, and a FIFO is not waited for. Windows has neither. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Packs the files of a site into a new archive, one after the other, each deflated. On any failure the archive is
 * removed.
 * @throws EEXIST when `archiveFile` is there already; an error of the disk; Refusal `unavailable` when the process is
 * about to end, or a file was exchanged since the directory was listed
 */
export async function pack(siteDirectory: string, archiveFile: string): Promise<void> {
  const files = filesOf(siteDirectory);
  // Threads that unpack need not load it.
  const { ZipFile } = await import('yazl');
  const fd = openSync(archiveFile, 'wx', 0o644);
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  let content: Readable | undefined;
  try {
    // All at once: yazl asks for the content of each when its turn has come. It looks for the next entry from the
    // beginning of its list, both when one is added and when one is done; while the first is open, adding costs nothing.
    for (const file of files) {
      const { path, modified } = file;
      const mtime = modified < EARLIEST ? EARLIEST : modified;
      zip.addReadStreamLazy(path, { mtime, mode: 0o100644 }, (take) => {
        try {
          // yazl makes an engine of zlib as soon as it has the content.
          assertNotEnding();
          content = Readable.from(piecesOf(file), { objectMode: false });
          content.on('error', (error) => output.destroy(error));
          take(null, content);
        } catch (error) {
          output.destroy(error as Error);
        }
      });
    }
    zip.end();
    for await (const piece of output) writeFileSync(fd, piece);
  } catch (error) {
    rmSync(archiveFile, { force: true });
    throw error;
  } finally {
    // yazl leaves it open when the output fails.
    content?.destroy();
    closeSync(fd);
  }
}

/** The content of a file, up to the size that it has now: it may be growing. */
function* piecesOf(file: SiteFile): Generator<Buffer> {
  const fd = opened(file);
  try {
    assertUnchanged(fd, file);
    for (let left = fstatSync(fd).size; left > 0; ) {
      const piece = Buffer.allocUnsafe(Math.min(CHUNK, left));
      const length = readSync(fd, piece);
      if (length === 0) return;
      left -= length;
      yield piece.subarray(0, length);
    }
  } finally {
    closeSync(fd);
  }
}

function opened({ realPath }: SiteFile): number {
  try {
    return openSync(realPath, FLAGS);
  } catch (error) {
    // A link or a socket has taken its place.
    if (hasErrno(error, ['ELOOP', 'ENXIO'])) throw refuse.changedWhilePacked();
    throw error;
  }
}

/** @throws Refusal `unavailable` unless it is the file that was listed, and lies where that lay */
function assertUnchanged(fd: number, { realPath, dev, ino }: SiteFile): void {
  const stats = fstatSync(fd, { bigint: true });
  const isSame = stats.isFile() && stats.dev === dev && stats.ino === ino;
  if (!isSame || placeOf(fd, realPath) !== realPath) throw refuse.changedWhilePacked();
}

/** Returns the real path of an open file. Linux knows it; elsewhere, the path is resolved once more. */
function placeOf(fd: number, path: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return realpathSync(path);
  }
}

/** A regular file of a site, or a link to one within the same site. */
interface SiteFile {
  /** Path in the archive. */
  readonly path: string;
  readonly modified: Date;
  /** Path without any link in it. */
  readonly realPath: string;
  /** With `ino`, identifies the file. */
  readonly dev: bigint;
  readonly ino: bigint;
}

/**
 * Lists the files below `siteDirectory`, sorted by path. Links count only if they lead to a served file of the same site.
 * Omits files that are never served: hidden ones, and those with names that no URL leads to.
 */
function filesOf(siteDirectory: string): SiteFile[] {
  const root = realpathSync(siteDirectory);
  const files: SiteFile[] = [];
  const walk = (directory: string) => {
    for (const item of readdirSync(join(root, directory), { withFileTypes: true })) {
      const path = directory === '' ? item.name : `${directory}/${item.name}`;
      if (!isServed(path)) continue;
      if (item.isDirectory()) walk(path);
      const found = fileAt(root, path, item);
      if (found === undefined) continue;
      const { mtime: modified, dev, ino } = found.stats;
      files.push({ path, modified, realPath: found.realPath, dev, ino });
    }
  };
  walk('');
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Whether a path can be served. Node reads bytes that are not UTF-8 as U+FFFD, and cannot open such a name. */
function isServed(path: string): boolean {
  return !path.includes('\ufffd') && SitePath.of(path)?.isHidden === false;
}

function fileAt(
  root: string,
  path: string,
  item: Dirent,
): { readonly realPath: string; readonly stats: BigIntStats } | undefined {
  const file = join(root, path);
  if (item.isFile()) return { realPath: file, stats: lstatSync(file, { bigint: true }) };
  if (!item.isSymbolicLink()) return undefined;
  try {
    const realPath = realpathSync(file);
    const stats = lstatSync(realPath, { bigint: true });
    return stats.isFile() && isServed(relative(root, realPath)) ? { realPath, stats } : undefined;
  } catch {
    // A dangling or circular link.
    return undefined;
  }
}
