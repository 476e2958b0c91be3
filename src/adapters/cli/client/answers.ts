import * as z from 'zod';
import { schemas } from '../../../formats/api/bodies.js';

/** Other servers with this interface send less of a version than Lectern. */
const versions = z.array(
  schemas.Version.partial({ download_url: true, published_at: true, stable: true, kind: true }),
);

/** Schemas of the responses that the client reads, by their names in `/api/spec`. */
export const answers = {
  ProjectDetails: loosened(
    schemas.ProjectDetails.partial({ settings: true, disk_use: true }).extend({ versions }),
  ),
  ProjectList: loosened(
    schemas.ProjectList.extend({ projects: z.array(schemas.Project.extend({ versions })) }),
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
