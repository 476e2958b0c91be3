import * as z from 'zod';
import { comparison } from './comparison.js';
import { type ErrorCode, STATUS_OF } from './error-code.js';
import { deadLinks } from './links.js';
import * as projects from './projects.js';
import * as publishing from './publishing.js';
import { foundPage, foundPages } from './search.js';
import { tokenInfo } from './token-fields.js';
import { madeToken, newToken, newTokenResult, revokedToken, tokenList } from './tokens.js';
import { unfoundSearches, usage } from './usage.js';

const versionInfo = z.object({
  product: z.literal('lectern').describe('Product name of the service.'),
  version: z.string().describe('Version of the installed package, or `DEV` when it runs from source.'),
});

const clientFile = z.object({
  url: z.string().describe('Path of the file on this server.'),
  version: versionInfo.shape.version,
  sha256: z.string().describe('SHA-256 of the file, in hex.'),
  bytes: z.int().min(1).describe('Size of the file.'),
});

/** The body of every failure. */
const failure = z.object({
  success: z.literal(false),
  error: z.enum(Object.keys(STATUS_OF) as [ErrorCode, ...ErrorCode[]]).describe('Error code, for programs.'),
  message: z.string().describe('Message, for people.'),
  warnings: publishing.siteWarnings.optional().describe('Warnings for which the upload was refused.'),
});

/** Schemas of the API's bodies (contract section 6, appendix section 2), by their names in `/api/spec`. */
export const schemas = {
  Version: projects.version,
  Project: projects.project,
  ProjectList: projects.projectList,
  ProjectDetails: projects.projectDetails,
  ProjectDescription: projects.projectDescription,
  Preview: projects.preview,
  PreviewList: projects.previewList,
  VersionInfo: versionInfo,
  ClientFile: clientFile,
  Source: publishing.source,
  UploadResult: publishing.uploadResult,
  DeleteResult: publishing.deleteResult,
  RemovedVersion: publishing.removedVersion,
  RemovedList: publishing.removedList,
  RestoreResult: publishing.restoreResult,
  TokenInfo: tokenInfo,
  NewToken: newToken,
  NewTokenResult: newTokenResult,
  MadeToken: madeToken,
  TokenList: tokenList,
  RevokedToken: revokedToken,
  Comparison: comparison,
  DeadLinks: deadLinks,
  UnfoundSearches: unfoundSearches,
  Usage: usage,
  SettingsResult: projects.settingsResult,
  Deprecation: projects.deprecation,
  FoundPage: foundPage,
  FoundPages: foundPages,
  AliasTarget: projects.aliasTarget,
  RetentionRules: projects.retentionRules,
  Failure: failure,
};

export type SchemaName = keyof typeof schemas;

export type Body<Name extends SchemaName> = z.infer<(typeof schemas)[Name]>;
