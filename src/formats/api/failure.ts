import * as z from 'zod';
import { type ErrorCode, STATUS_OF } from './error-code.js';
import { siteWarnings } from './publishing.js';

/** The body of every failure. */
export const failure = z.object({
  success: z.literal(false),
  error: z.enum(Object.keys(STATUS_OF) as [ErrorCode, ...ErrorCode[]]).describe('The reason, for programs.'),
  message: z.string().describe('The reason, for people.'),
  warnings: siteWarnings.optional().describe('Warnings that the upload was refused for.'),
});
