import * as z from 'zod';
import * as comparisons from '../../../formats/api/comparison.js';
import * as projects from '../../../formats/api/projects.js';
import * as publishing from '../../../formats/api/publishing.js';
import * as search from '../../../formats/api/search.js';
import * as server from '../../../formats/api/server.js';
import * as settings from '../../../formats/api/settings.js';
import * as tokens from '../../../formats/api/tokens.js';
import * as usages from '../../../formats/api/usage.js';
import { loosened } from './loosened.js';

/** Schemas of the responses that the client reads. Other servers with this interface have less than Lectern's. */
const versions = z.array(
  projects.version.partial({ download_url: true, published_at: true, stable: true, kind: true }),
);

export const project = loosened(
  projects.projectDetails.partial({ settings: true, disk_use: true }).extend({ versions }),
);
export const projectList = loosened(
  projects.projectList.extend({ projects: z.array(projects.project.extend({ versions })) }),
);
export const previewList = loosened(projects.previewList.partial().required({ previews: true }));
export const versionInfo = loosened(server.versionInfo.extend({ product: z.string() }));
export const uploadResult = loosened(
  publishing.uploadResult
    .partial()
    .required({ message: true, project: true, version: true, directory: true }),
);
export const tokenInfo = loosened(server.tokenInfo.partial({ allow_manage: true }));
export const newTokenResult = loosened(tokens.newTokenResult);
export const tokenList = loosened(tokens.tokenList);
export const revokedToken = loosened(tokens.revokedToken);
export const comparison = loosened(
  comparisons.comparison.partial().required({ added_count: true, removed_count: true, changed_count: true }),
);
export const removedList = loosened(publishing.removedList.partial({ count: true }));
export const restoreResult = loosened(
  publishing.restoreResult.partial().required({ message: true, directory: true }),
);
export const deleteResult = loosened(publishing.deleteResult.partial().required({ message: true }));
export const settingsResult = loosened(settings.settingsResult.partial().required({ message: true }));
/** Servers before 1.2 do not say what they did with the words. */
export const foundPages = loosened(search.foundPages.partial({ corrections: true, omitted_terms: true }));
/** Servers of earlier releases count no agents. */
const { days, versions: usedVersions, other_versions } = usages.usage.shape;
export const usage = loosened(
  usages.usage.partial({ missing_files: true, agents: true, agent_pages: true }).extend({
    days: z.array(days.element.partial({ agents: true })),
    versions: z.array(usedVersions.element.partial({ agents: true })),
    other_versions: other_versions.partial({ agents: true }),
  }),
);

/** An error response. Lectern sends both fields, other servers maybe only one. */
export const failure = z.looseObject({ error: z.string().optional(), message: z.string().optional() });

export type Project = z.infer<typeof project>;
export type ProjectList = z.infer<typeof projectList>;
export type PreviewList = z.infer<typeof previewList>;
export type VersionInfo = z.infer<typeof versionInfo>;
export type UsageInfo = z.infer<typeof usage>;
export type FoundPages = z.infer<typeof foundPages>;
export type UploadResult = z.infer<typeof uploadResult>;
export type TokenInfo = z.infer<typeof tokenInfo>;
export type NewTokenResult = z.infer<typeof newTokenResult>;
export type TokenList = z.infer<typeof tokenList>;
export type Comparison = z.infer<typeof comparison>;
export type RemovedList = z.infer<typeof removedList>;
export type SettingsResult = z.infer<typeof settingsResult>;
export type DeleteResult = Pick<z.infer<typeof deleteResult>, 'message'>;
