import * as z from 'zod';
import { settings } from './projects.js';
import { dueVersion } from './retention.js';

export const settingsResult = z.object({
  success: z.literal(true),
  message: z.string().describe('Human-readable text.'),
  project: z.string().describe('Project whose settings these are.'),
  settings: settings.describe('All settings of the project, as they are now.'),
  removes: z
    .array(dueVersion)
    .optional()
    .describe('For rules of retention only: the versions that the rules remove now.'),
});

export const aliasTarget = z.strictObject({
  target: z.string().describe('A version label; or `N.x` or `N.M.x`, the newest stable version of these.'),
});

export const deprecation = z.strictObject({
  message: z.string().describe('A sentence for readers, of at most 500 characters.'),
});
