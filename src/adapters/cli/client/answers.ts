import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import * as z from 'zod';
import { schemas } from '../../../formats/api/bodies.js';
import { ClientError, PassingFailure } from './client-error.js';

/** Other servers with this interface, and older ones, send less of a project and of a version. */
const names = { id: true, title: true } as const;
const versions = z.array(
  schemas.Version.partial({ download_url: true, published_at: true, stable: true, kind: true }),
);

/** Schemas of the responses that the client reads, by their names in `/api/spec`. */
export const answers = {
  ProjectDetails: loosened(
    schemas.ProjectDetails.partial({ ...names, settings: true, disk_use: true }).extend({ versions }),
  ),
  ProjectList: loosened(
    schemas.ProjectList.extend({ projects: z.array(schemas.Project.partial(names).extend({ versions })) }),
  ),
  PreviewList: loosened(schemas.PreviewList.partial().required({ previews: true })),
  VersionInfo: loosened(schemas.VersionInfo.extend({ product: z.string() })),
  UploadResult: loosened(
    schemas.UploadResult.partial().required({ message: true, project: true, version: true, directory: true }),
  ),
  TokenInfo: loosened(schemas.TokenInfo),
  NewTokenResult: loosened(schemas.NewTokenResult),
  TokenList: loosened(schemas.TokenList),
  Comparison: loosened(
    schemas.Comparison.partial().required({ added_count: true, removed_count: true, changed_count: true }),
  ),
  RemovedList: loosened(schemas.RemovedList.partial({ count: true })),
  RestoreResult: loosened(schemas.RestoreResult.partial().required({ message: true, directory: true })),
  DeleteResult: loosened(schemas.DeleteResult.pick({ message: true })),
  SettingsResult: loosened(schemas.SettingsResult.partial().required({ message: true })),
  FoundPages: loosened(schemas.FoundPages),
  Usage: loosened(schemas.Usage),
  DeadLinks: loosened(schemas.DeadLinks),
};

export type AnswerName = keyof typeof answers;
export type Answer<Name extends AnswerName> = z.infer<(typeof answers)[Name]>;
export type Project = Answer<'ProjectDetails'>;

/** An error response. Lectern sends code and message, other servers maybe only one. */
export const failure = loosened(schemas.Failure.partial());

/**
 * A schema of the API as a client reads it: newer servers, and others with this interface, send more fields and other
 * values of the same types.
 */
export function loosened<Schema extends z.ZodType>(schema: Schema): z.ZodType<z.output<Schema>> {
  return loose(schema) as z.ZodType<z.output<Schema>>;
}

function loose(schema: unknown): z.ZodType {
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.shape).map(([name, field]) => [name, loose(field)]);
    return z.looseObject(Object.fromEntries(fields));
  }
  if (schema instanceof z.ZodArray) return z.array(loose(schema.element));
  if (schema instanceof z.ZodOptional) return loose(schema.unwrap()).optional();
  if (schema instanceof z.ZodEnum || schema instanceof z.ZodStringFormat) return z.string();
  if (schema instanceof z.ZodNumber) return z.number();
  return schema as z.ZodType;
}

/** Time for a whole answer that is no archive: from the request; for an upload, from the first byte of the answer. */
export const MAX_ANSWER_MS = 5 * 60_000;

export interface TextBounds {
  /** The address that was asked, for messages. */
  readonly url: string;
  /** Max. bytes, unpacked. */
  readonly maxBytes: number;
  readonly deadline: AbortSignal;
}

/**
 * Reads the body of a response as text, never more of it than the bounds allow.
 * @throws PassingFailure when the response breaks off; ClientError when it is too large or too slow
 */
export async function readText({ body }: Response, { url, maxBytes, deadline }: TextBounds): Promise<string> {
  if (body === null) return '';
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  try {
    // Leaving the loop ends the connection.
    for await (const piece of Readable.fromWeb(body as ReadableStream<Uint8Array>, { signal: deadline })) {
      bytes += piece.length;
      if (bytes > maxBytes) {
        const sentence = `The response from ${url} is larger than ${maxBytes / 1024 ** 2} MiB`;
        throw new ClientError('unreachable', sentence);
      }
      pieces.push(piece);
    }
  } catch (error) {
    if (error instanceof ClientError) throw error;
    if (deadline.aborted) throw tooSlow(url, error);
    throw new PassingFailure('The response was cut off', { isInDoubt: true, cause: error });
  }
  return new TextDecoder().decode(Buffer.concat(pieces));
}

export function tooSlow(url: string, cause: unknown): ClientError {
  const sentence = `The response from ${url} was incomplete after ${MAX_ANSWER_MS / 60_000} minutes`;
  return new ClientError('unreachable', sentence, { cause });
}
