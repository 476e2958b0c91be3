// Packs the files of a folder into a zip with JSZip, which the page loads before this module.

/** Earliest time of a zip entry, whose years begin in 1980. */
const EARLIEST = Date.UTC(1980, 0, 2);

/**
 * Packs files, given as `{ path, file }`, into a Blob. JSZip deflates in memory, so the caller limits the files.
 * @param report called with the stage and its finished share, 0 to 1
 * @throws errors of reading a file, with its path in `path`; the reason of `signal` once it is aborted
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
    // Otherwise there is no progress while a large file is deflated.
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
