// Packs the files of a folder into a zip with JSZip, which the page loads before this module.

/** The years of the format begin in 1980. */
const EARLIEST = Date.UTC(1980, 0, 2);

/**
 * Packs files, given as `{ path, file }`, into a Blob. JSZip deflates in memory: whoever chooses the files bounds them.
 * @param report told the stage, and its share that is done: 0 to 1
 * @throws whatever reading a file throws, with its path in `path`; the reason of `signal` once it is aborted
 */
export async function packZip(files, report, signal) {
  const zip = new globalThis.JSZip();
  for (const [index, { path, file }] of files.entries()) {
    const content = await file.arrayBuffer().catch((error) => {
      throw Object.assign(error, { path });
    });
    signal.throwIfAborted();
    const date = new Date(Math.max(file.lastModified, EARLIEST));
    zip.file(path, new Uint8Array(content), { date, createFolders: false });
    report('Reading', (index + 1) / files.length);
  }
  const stream = zip.generateInternalStream({
    type: 'uint8array',
    compression: 'DEFLATE',
    // Otherwise a large file is deflated without a word about how far that is.
    streamFiles: true,
  });
  const pieces = [];
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => {
      stream.pause();
      reject(signal.reason);
    });
    stream
      .on('data', (piece, { percent }) => {
        pieces.push(piece);
        report('Packing', percent / 100);
      })
      .on('error', reject)
      .on('end', () => resolve(new Blob(pieces, { type: 'application/zip' })))
      .resume();
  });
}
