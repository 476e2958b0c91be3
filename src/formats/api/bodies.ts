import type * as z from 'zod';
import { comparison } from './comparison.js';
import { failure } from './failure.js';
import {
  preview,
  previewList,
  project,
  projectDescription,
  projectDetails,
  projectList,
  version,
} from './projects.js';
import { deleteResult, removedList, removedVersion, restoreResult, uploadResult } from './publishing.js';
import { retentionRules } from './retention.js';
import { foundPage, foundPages } from './search.js';
import { clientFile, tokenInfo, versionInfo } from './server.js';
import { aliasTarget, deprecation, settingsResult } from './settings.js';
import { madeToken, newToken, newTokenResult, revokedToken, tokenList } from './tokens.js';
import { usage } from './usage.js';

/** Schemas of the API's bodies (contract section 6, appendix section 2), by their names in `/api/spec`. */
export const schemas = {
  Version: version,
  Project: project,
  ProjectList: projectList,
  ProjectDetails: projectDetails,
  ProjectDescription: projectDescription,
  Preview: preview,
  PreviewList: previewList,
  VersionInfo: versionInfo,
  ClientFile: clientFile,
  UploadResult: uploadResult,
  DeleteResult: deleteResult,
  RemovedVersion: removedVersion,
  RemovedList: removedList,
  RestoreResult: restoreResult,
  TokenInfo: tokenInfo,
  NewToken: newToken,
  NewTokenResult: newTokenResult,
  MadeToken: madeToken,
  TokenList: tokenList,
  RevokedToken: revokedToken,
  Comparison: comparison,
  Usage: usage,
  SettingsResult: settingsResult,
  Deprecation: deprecation,
  FoundPage: foundPage,
  FoundPages: foundPages,
  AliasTarget: aliasTarget,
  RetentionRules: retentionRules,
  Failure: failure,
};

export type SchemaName = keyof typeof schemas;
export type Body<Name extends SchemaName> = z.infer<(typeof schemas)[Name]>;
