import { type Entry, fromRandomAccessReaderPromise, type ZipFile } from 'yauzl';
import type { ArchiveLimits } from '../../../application/ports/archives.js';
import { refuse } from '../../../domain/refusal/refuse.js';
import { SitePath } from '../../../domain/site-path.js';
import { type ArchiveEntry, kindOf, namesDirectory, namesRoot, pathOf } from './archive-entry.js';
import { type ArchiveReader, READ_AHEAD } from './archive-reader.js';
import { type DirectoryBounds, readDirectoryBounds } from './end-record.js';
import { decodeName } from './entry-name.js';
import { hasDoubledField, METHOD, problemOfMethod, problemOfType } from './header-fields.js';
import { asRefusal, WRONG_COUNT, whyNotOpened } from './refusal-of.js';
import { Tally } from './tally.js';

/** Size of a central header without its name, in bytes. */
const HEADER_LENGTH = 46;
const NO_NAME = 'has no name';

/** The central directory of an archive, with every header checked by itself and against the others. */
export interface CentralDirectory {
  /** Offset of the directory, which no data of an entry may reach. */
  readonly start: number;
  readonly entries: ArchiveEntry[];
}

/**
 * Reads all headers before any content, so that a bad archive costs little.
 * @throws Refusal `invalid_archive`, or `archive_too_large` as soon as a limit is exceeded
 */
export async function readCentralDirectory(
  archive: ArchiveReader,
  limits: ArchiveLimits,
  foldsCase: boolean,
): Promise<CentralDirectory> {
  archive.readAhead = READ_AHEAD.directory;
  const zip = await open(archive);
  const bounds = readDirectoryBounds(archive, zip.comment.length);
  const entries: ArchiveEntry[] = [];
  const ledger = new PathLedger(foldsCase);
  const tally = new Tally(limits, archive.size);

  for (const header of headersOf(zip, archive, bounds)) {
    const entry = checked(header);
    const claim = entry.path && ledger.claim(entry.path, namesDirectory(entry.name) ? 'directory' : 'file');
    if (claim) throw refuse.invalidArchive(claim, entry.name);
    tally.add(entry.kind, entry.size);
    tally.checkCount(ledger.directories);
    entries.push(entry);
  }
  return { start: bounds.start, entries };
}

async function open(archive: ArchiveReader): Promise<ZipFile> {
  try {
    return await fromRandomAccessReaderPromise(archive, archive.size, {
      autoClose: false,
      // Names stay bytes, and declared sizes unchecked: both are checked here.
      decodeStrings: false,
      validateEntrySizes: false,
    });
  } catch (error) {
    throw asRefusal(error, whyNotOpened(error, archive));
  }
}

/** Yields the headers one by one. They must fill the central directory to the byte. */
function* headersOf(zip: ZipFile, archive: ArchiveReader, bounds: DirectoryBounds): Generator<Entry> {
  const next = synchronously(zip);
  let position = bounds.start;
  for (let count = 0; count < bounds.entries; count += 1) {
    if (position + HEADER_LENGTH > bounds.end) throw refuse.invalidArchive(WRONG_COUNT);
    let header: Entry;
    try {
      header = next();
    } catch (error) {
      throw asRefusal(error, 'its central directory is damaged', nameAt(archive, position, bounds));
    }
    const end =
      position + HEADER_LENGTH + header.fileNameLength + header.extraFieldLength + header.fileCommentLength;
    if (end > bounds.end) throw refuse.invalidArchive(WRONG_COUNT);
    // The disk on which the entry starts, a field that yauzl skips.
    const disk = archive.slice(position + 34, 2).readUInt16LE(0);
    if (disk !== 0 && disk !== 0xffff) {
      throw refuse.invalidArchive('is on a different disk of a split archive', nameOf(header));
    }
    position = end;
    yield header;
  }
  if (position !== bounds.end) throw refuse.invalidArchive(WRONG_COUNT);
}

/** Returns a function that reads the next header. Sync like the reader: no promise or turn of the event loop per entry. */
function synchronously(zip: ZipFile): () => Entry {
  let header: Entry | undefined;
  let failure: unknown;
  zip.on('entry', (entry: Entry) => {
    header = entry;
  });
  zip.on('error', (error) => {
    failure = error;
  });
  return () => {
    header = undefined;
    zip.readEntry();
    if (failure !== undefined) throw failure;
    // yauzl is async only for a header without name, extra field and comment.
    if (header === undefined) throw refuse.invalidArchive(NO_NAME, '');
    return header;
  };
}

/** @throws Refusal `invalid_archive` for faults of a single header */
function checked(header: Entry): ArchiveEntry {
  const { versionMadeBy, generalPurposeBitFlag: flags, compressionMethod: method } = header;
  const decoded = decodeName({
    raw: header.fileNameRaw,
    flags,
    versionMadeBy,
    extraFields: header.extraFields,
  });
  const { name } = decoded;
  const rawName = header.fileNameRaw.toString('latin1');
  const path = pathOf(name);
  const isDirectory = namesDirectory(name);
  const problem =
    ('problem' in decoded ? decoded.problem : undefined) ??
    problemOfMethod(flags, method) ??
    problemOfType(versionMadeBy, header.externalFileAttributes, isDirectory) ??
    (name === '' ? NO_NAME : undefined) ??
    (namesRoot(name) ? undefined : SitePath.problemOf(path)) ??
    problemOfSizes(header, isDirectory);
  if (problem !== undefined) throw refuse.invalidArchive(problem, name);
  return {
    name,
    // Equal names, as nearly always, share a string.
    rawName: rawName === name ? name : rawName,
    path,
    kind: kindOf(path, isDirectory),
    versionMadeBy,
    flags,
    method,
    crc32: header.crc32,
    compressedSize: header.compressedSize,
    size: header.uncompressedSize,
    headerOffset: header.relativeOffsetOfLocalHeader,
    dataOffset: 0,
  };
}

function problemOfSizes(header: Entry, isDirectory: boolean): string | undefined {
  if (hasDoubledField(header.extraFields)) return 'has the same extra field twice';
  if (isDirectory && header.uncompressedSize !== 0) return 'is a directory with content';
  if (header.compressionMethod === METHOD.stored && header.compressedSize !== header.uncompressedSize) {
    return 'is stored, but its two sizes differ';
  }
  return undefined;
}

function nameOf(header: Entry): string {
  return decodeName({
    raw: header.fileNameRaw,
    flags: header.generalPurposeBitFlag,
    versionMadeBy: header.versionMadeBy,
    extraFields: [],
  }).name;
}

/** The name in the header at which yauzl stopped, if there is one. */
function nameAt(archive: ArchiveReader, position: number, { end }: DirectoryBounds): string | undefined {
  if (position + HEADER_LENGTH > end || archive.slice(position, 4).readUInt32LE(0) !== 0x02014b50)
    return undefined;
  const length = archive.slice(position + 28, 2).readUInt16LE(0);
  return position + HEADER_LENGTH + length > end
    ? undefined
    : archive.slice(position + HEADER_LENGTH, length).toString();
}

/** The paths of an archive's entries, so that no two entries have the same one. */
class PathLedger {
  /** Directories, named by entries or implied by their paths. */
  directories = 0;
  private readonly kinds = new Map<string, 'file' | 'directory' | 'implied'>();

  /** @param foldsCase whether names that differ in case or composition are the same to the file system */
  constructor(private readonly foldsCase: boolean) {}

  /**
   * Adds a path.
   * @returns the reason why it cannot be added; undefined on success
   */
  claim(path: string, kind: 'file' | 'directory'): string | undefined {
    const key = this.foldsCase ? path.normalize('NFC').toLowerCase() : path;
    const known = this.kinds.get(key);
    if (known === kind) return this.twice(kind);
    if (known === 'file' || (known !== undefined && kind === 'file')) {
      return 'is both a file and a directory';
    }
    this.kinds.set(key, kind);
    if (kind === 'directory' && known === undefined) this.directories += 1;
    return this.implyParents(key);
  }

  private implyParents(key: string): string | undefined {
    for (let slash = key.lastIndexOf('/'); slash > 0; slash = key.lastIndexOf('/', slash - 1)) {
      const parent = key.slice(0, slash);
      const known = this.kinds.get(parent);
      if (known === 'file') return 'is inside a path that is a file in the same archive';
      // The parent's own parents were added with it.
      if (known !== undefined) return undefined;
      this.kinds.set(parent, 'implied');
      this.directories += 1;
    }
    return undefined;
  }

  private twice(kind: string): string {
    return this.foldsCase
      ? `appears twice: on this server, names that differ only in case are the same ${kind}`
      : 'appears twice';
  }
}
