import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { jsonIn } from '../formats/json.js';

/**
 * An invalid file that people write, with the path of every fault: `tokens.ci.projects[1]: expected a string`. Never
 * contains a secret.
 */
export class ConfigFileError extends Error {
  override readonly name = 'ConfigFileError';

  constructor(readonly faults: readonly string[]) {
    super(faults.join('; '));
  }
}

/**
 * Reads a file as a stream, since it may be a pipe, whose size is unknown.
 * @param what its name in a fault
 * @throws ConfigFileError for a large one; an error with an errno code when it cannot be read
 */
export async function readConfigFile(file: string, maxBytes: number, what = 'the file'): Promise<Buffer> {
  const content = await buffer(createReadStream(file, { end: maxBytes }));
  if (content.length > maxBytes) throw new ConfigFileError([`${what}: larger than ${maxBytes} bytes`]);
  return content;
}

/** Parses JSON, with or without a byte order mark; undefined for invalid JSON. */
export function parseJson(text: string): unknown {
  return jsonIn(text.replace(/^\uFEFF/, ''));
}
