import type { LocalFile } from './object-client.js';
import type { Sdk } from './sdk.js';
import { StoreUnavailable } from './store-errors.js';
import type { StoreRequests } from './store-requests.js';
import { fitsOnePart, readPart, uploadParts, withFile } from './upload-parts.js';

/** `ObjectClient.put` with the SDK. */
export function putObject(
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
  const { size } = content;
  return withFile(content, async (handle) => {
    if (!fitsOnePart(size)) return put((signal) => putParts(sdk, requests, key, signal, handle, size));
    const bytes = await readPart(handle, 0, size);
    return put((signal) => putBytes(bytes, signal));
  });
}

/** A multipart upload: nothing is to be seen of it until it is completed. One that fails is aborted. */
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
    throw new StoreUnavailable(`the store lost an upload, or its answer (${what})`, 404, 'NoSuchUpload');
  }
}
