import { type FileHandle, open } from 'node:fs/promises';
import type { LocalFile } from './object-client.js';
import type { Sdk } from './sdk.js';
import { StoreUnavailable } from './store-errors.js';
import type { StoreRequests } from './store-requests.js';

/** Bytes of a part, but for the last one. A store takes 10,000 parts: 78 GiB. Larger files get larger parts. */
const MIN_PART_BYTES = 8 * 1024 * 1024;
const MAX_PARTS = 10_000;
/** Parts under way at the same time, and in memory. */
const MAX_PARALLEL = 4;

/**
 * `ObjectClient.put` with the SDK. Fails if a local file does not have the size that was announced.
 */
export async function putObject(
  sdk: Sdk,
  requests: StoreRequests,
  key: string,
  content: Uint8Array | LocalFile,
): Promise<void> {
  const put = (act: (signal: AbortSignal) => Promise<void>) => requests.run('put', key, act);
  const putBytes = async (bytes: Uint8Array, abortSignal: AbortSignal) => {
    const input = { ...requests.object(key), Body: bytes, ContentLength: bytes.length };
    await sdk.uploads.send(new sdk.commands.PutObjectCommand(input), { abortSignal });
  };
  if (content instanceof Uint8Array) return put((signal) => putBytes(content, signal));
  const { path, size } = content;
  const handle = await open(path);
  try {
    const { size: found } = await handle.stat();
    if (found !== size) throw new Error(`${path} has ${found} bytes, not ${size}`);
    if (size > MIN_PART_BYTES) {
      return await put((signal) => putParts(sdk, requests, key, signal, handle, size));
    }
    const bytes = await readPart(handle, 0, size);
    return await put((signal) => putBytes(bytes, signal));
  } finally {
    await handle.close();
  }
}

/** Puts an object by a multipart upload: it is not visible until the upload is completed. A failed upload is aborted. */
async function putParts(
  { commands, uploads }: Sdk,
  requests: StoreRequests,
  key: string,
  abortSignal: AbortSignal,
  handle: Parameters<typeof uploadParts>[0],
  size: number,
): Promise<void> {
  const object = requests.object(key);
  const create = new commands.CreateMultipartUploadCommand(object);
  const { UploadId } = await uploads.send(create, { abortSignal });
  const upload = { ...object, UploadId };
  const send = async (PartNumber: number, Body: Uint8Array) => {
    const input = { ...upload, PartNumber, Body, ContentLength: Body.length };
    const { ETag } = await uploads.send(new commands.UploadPartCommand(input), { abortSignal });
    return { PartNumber, ETag };
  };
  try {
    const Parts = [...(await uploadParts(handle, size, send))];
    const complete = new commands.CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } });
    await uploads.send(complete, { abortSignal });
  } catch (error) {
    await uploads.send(new commands.AbortMultipartUploadCommand(upload)).catch(() => {});
    if ((error as Error).name !== 'NoSuchUpload') throw error;
    // That is what the second attempt hears when the first has completed the upload and its answer was lost.
    const what = requests.describe('put', key);
    throw new StoreUnavailable(`the store lost an upload, or its response (${what})`, 404, 'NoSuchUpload');
  }
}

/** Reads one part of a file. Fails if the file has become shorter. Errors have no code: they are none of the store. */
async function readPart(handle: FileHandle, start: number, length: number): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafe(length);
  for (let at = 0; at < length; ) {
    const { bytesRead } = await handle.read(bytes, at, length - at, start + at).catch((cause) => {
      throw new Error('a file to upload cannot be read', { cause });
    });
    if (bytesRead === 0) throw new Error('a file shrank while it was being uploaded');
    at += bytesRead;
  }
  return bytes;
}

/**
 * Reads a file in parts, a few at a time, and hands each to `send`.
 * @param send part number, from 1 on
 * @returns what `send` returned, in the order of the parts; after a failure no further part is begun
 */
async function uploadParts<Sent>(
  handle: FileHandle,
  size: number,
  send: (part: number, bytes: Uint8Array) => Promise<Sent>,
): Promise<readonly Sent[]> {
  const length = Math.max(MIN_PART_BYTES, Math.ceil(size / MAX_PARTS));
  const parts = Math.ceil(size / length);
  const sent: Sent[] = [];
  let next = 0;
  const work = async () => {
    while (next < parts) {
      const part = next;
      next += 1;
      try {
        const start = part * length;
        sent[part] = await send(part + 1, await readPart(handle, start, Math.min(length, size - start)));
      } catch (error) {
        next = parts;
        throw error;
      }
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: MAX_PARALLEL }, work));
  for (const each of ended) if (each.status === 'rejected') throw each.reason;
  return sent;
}
