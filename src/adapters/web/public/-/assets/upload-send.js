// The requests of the upload page, and the zip that it packs of a folder with JSZip, which the page loads before this module.
import { isPreview } from './archive-names.js';
import { answerIn, headerText, Refused } from './server.js';

/** Earliest time of a zip entry, whose years begin in 1980. */
const EARLIEST = Date.UTC(1980, 0, 2);

/** Sends `POST /api/upload`, with XMLHttpRequest, since `fetch` reports no upload progress. */
export const post = (archive, { fileName, token }, signal, upload = {}) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    signal.addEventListener('abort', () => request.abort());
    Object.assign(request.upload, upload);
    request.onabort = () => reject(signal.reason);
    request.onerror = () =>
      reject(
        new Refused('lost', 'The connection was lost. See whether the version is there before you try again'),
      );
    request.onload = () => {
      const { status, statusText, responseText } = request;
      const ok = status >= 200 && status < 300;
      try {
        resolve(answerIn({ ok, status, statusText, text: responseText }));
      } catch (error) {
        reject(error);
      }
    };
    request.open('POST', new URL('../../api/upload', import.meta.url));
    request.setRequestHeader('X-Token', headerText(token));
    const body = new FormData();
    body.append('file', archive, fileName);
    request.send(body);
  });

/**
 * Returns whether the version is published and the token may replace it. The server explains a missing right better. Every
 * upload of a preview replaces it.
 */
export const wouldReplace = async ({ directory, token }, signal) => {
  if (isPreview({ directoryName: directory })) return false;
  const server = new URL('../../', import.meta.url);
  // A private project is there for its token only.
  const headers = { 'X-Token': headerText(token) };
  const there = await fetch(new URL(`-/switcher/${encodeURIComponent(directory)}.json`, server), {
    method: 'HEAD',
    headers,
    signal,
  });
  if (!there.ok) return false;
  const rights = await fetch(new URL('api/token', server), { headers, signal });
  return rights.ok && (await rights.json()).allow_overwrite;
};

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
