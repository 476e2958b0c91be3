import { type ExtraField, parseExtraFields } from 'yauzl';

/** Bits of the general purpose flag. */
export const FLAG = {
  encrypted: 1 << 0,
  /** Sizes and CRC follow the content, in a data descriptor. */
  descriptor: 1 << 3,
  patch: 1 << 5,
  stronglyEncrypted: 1 << 6,
  utf8: 1 << 11,
  /** The local header is masked, because the central directory was encrypted. */
  masked: 1 << 13,
} as const;

export const METHOD = { stored: 0, deflated: 8 } as const;

/** Ids of extra fields. */
export const ZIP64_SIZES = 0x0001;
export const UNICODE_PATH = 0x7075;

const OTHER_METHODS: Readonly<Record<number, string>> = {
  1: 'shrink',
  2: 'reduce',
  3: 'reduce',
  4: 'reduce',
  5: 'reduce',
  6: 'implode',
  9: 'deflate64',
  12: 'bzip2',
  14: 'lzma',
  20: 'zstd',
  93: 'zstd',
  94: 'mp3',
  95: 'xz',
  96: 'jpeg',
  97: 'wavpack',
  98: 'ppmd',
};

const UNIX_HOSTS = [3, 19];

export const isUnixHost = (versionMadeBy: number): boolean => UNIX_HOSTS.includes(versionMadeBy >> 8);

/** The reason why the content cannot be read; undefined when it can. */
export function problemOfMethod(flags: number, method: number): string | undefined {
  if (flags & (FLAG.encrypted | FLAG.stronglyEncrypted | FLAG.masked) || method === 99) {
    return 'is encrypted; create the archive without a password';
  }
  if (flags & FLAG.patch) return 'is a patch, not a file';
  if (method === METHOD.stored || method === METHOD.deflated) return undefined;
  const name = OTHER_METHODS[method] ?? `method ${method}`;
  return `is compressed with ${name}, which is not supported; use deflate`;
}

/** Type bits of a Unix mode. */
const TYPE_MASK = 0o170000;
const DIRECTORY = 0o040000;
const REGULAR = 0o100000;
const SPECIAL: ReadonlyMap<number, string> = new Map([
  [0o120000, 'a symbolic link'],
  [0o060000, 'a block device'],
  [0o020000, 'a character device'],
  [0o010000, 'a FIFO'],
  [0o140000, 'a socket'],
]);
const DOS_DIRECTORY = 0x10;

/**
 * The reason why an entry is neither a file nor a directory, or not the one that its name says. Reads the mode whatever
 * host is named, as unzip does: PKZIP for Unix stored modes but named DOS.
 */
export function problemOfType(
  versionMadeBy: number,
  externalAttributes: number,
  isDirectory: boolean,
): string | undefined {
  const type = (externalAttributes >>> 16) & TYPE_MASK;
  const special = SPECIAL.get(type);
  if (special !== undefined) return `is ${special}; only files and directories are allowed`;
  if (isUnixHost(versionMadeBy)) {
    if (type !== 0 && type !== DIRECTORY && type !== REGULAR) {
      return 'is of an unknown type; only files and directories are allowed';
    }
    if (type === DIRECTORY && !isDirectory) return "is a directory, but its name does not end with '/'";
    if (type === REGULAR && isDirectory) return "is a file, but its name ends with '/'";
  }
  if (externalAttributes & DOS_DIRECTORY && !isDirectory) {
    return "is a directory, but its name does not end with '/'";
  }
  return undefined;
}

/** Parses the extra fields of a local header; undefined when their sizes do not add up. */
export function extraFieldsOf(raw: Buffer): readonly ExtraField[] | undefined {
  try {
    return parseExtraFields(raw);
  } catch {
    return undefined;
  }
}

/** Whether two fields set the same thing, the sizes or the name: such a header is ambiguous. */
export function hasDoubledField(fields: readonly ExtraField[]): boolean {
  let sizes = 0;
  let names = 0;
  for (const { id } of fields) {
    if (id === ZIP64_SIZES) sizes += 1;
    else if (id === UNICODE_PATH) names += 1;
  }
  return sizes > 1 || names > 1;
}
