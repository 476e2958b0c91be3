// Writes zip archives with what browsers bring along: gzip's deflated bytes, and the CRC-32 behind them, are the very
// ones that zip has.

const MOST_FILES = 0xffff;
const MOST_BYTES = 0xffffffff;
const GZIP_HEAD = 10;
const GZIP_TAIL = 8;
const UTF8_NAMES = 0x0800;
const DEFLATE = 8;
const FORMAT_VERSION = 20;

/** More than the plain format, which is all that is written here, can hold. */
export class TooMuch extends Error {}

/**
 * Packs files, given as `{ path, file }`, into a Blob. `report` is told how many bytes of them are done.
 * @throws TooMuch; whatever reading a file throws, with its path in `path`
 */
export async function packZip(files, report, signal) {
  if (files.length > MOST_FILES) throw new TooMuch(`${files.length.toLocaleString('en')} files`);
  const parts = [];
  const directory = [];
  let offset = 0;
  let done = 0;
  for (const { path, file } of files) {
    signal.throwIfAborted();
    const name = new TextEncoder().encode(path);
    const { content, crc } = await deflated(file).catch((error) => {
      throw Object.assign(error, { path });
    });
    const common = commonFields(name, file, content.size, crc);
    parts.push(fields([4, 0x04034b50]), common, name, content);
    directory.push(
      fields([4, 0x02014b50], [2, FORMAT_VERSION]),
      common,
      fields([2, 0], [2, 0], [2, 0], [4, 0], [4, offset]),
      name,
    );
    offset += 30 + name.length + content.size;
    if (offset > MOST_BYTES) throw new TooMuch('4 GiB');
    done += file.size;
    report(done);
  }
  const size = directory.reduce((sum, piece) => sum + piece.byteLength, 0);
  const count = [2, files.length];
  const end = fields([4, 0x06054b50], [2, 0], [2, 0], count, count, [4, size], [4, offset], [2, 0]);
  return new Blob([...parts, ...directory, end], { type: 'application/zip' });
}

/** A file in pieces: the browser keeps large ones on its disk, so memory does not grow with them. */
async function deflated(file) {
  if (file.size > MOST_BYTES) throw new TooMuch('4 GiB');
  const gzip = await new Response(file.stream().pipeThrough(new CompressionStream('gzip'))).blob();
  const tail = new DataView(await gzip.slice(-GZIP_TAIL).arrayBuffer());
  return { content: gzip.slice(GZIP_HEAD, -GZIP_TAIL), crc: tail.getUint32(0, true) };
}

/** What stands in a local header and in the directory alike. */
function commonFields(name, file, size, crc) {
  const time = new Date(Math.max(file.lastModified, Date.UTC(1980, 0, 2)));
  return fields(
    [2, FORMAT_VERSION],
    [2, UTF8_NAMES],
    [2, DEFLATE],
    [2, (time.getHours() << 11) | (time.getMinutes() << 5) | (time.getSeconds() >> 1)],
    [2, ((time.getFullYear() - 1980) << 9) | ((time.getMonth() + 1) << 5) | time.getDate()],
    [4, crc],
    [4, size],
    [4, file.size],
    [2, name.length],
    [2, 0],
  );
}

/** Numbers of two or four bytes, the lowest first. */
function fields(...numbers) {
  const bytes = new DataView(new ArrayBuffer(numbers.reduce((sum, [width]) => sum + width, 0)));
  let at = 0;
  for (const [width, value] of numbers) {
    if (width === 2) bytes.setUint16(at, value, true);
    else bytes.setUint32(at, value, true);
    at += width;
  }
  return bytes;
}
