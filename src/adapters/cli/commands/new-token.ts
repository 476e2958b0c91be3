import { createHash, randomBytes } from 'node:crypto';
import { textFlag } from '../options/client-settings.js';
import { StartError } from '../start-error.js';

/** The rights of a new token, as the tokens file and `POST /api/tokens` have them. */
export interface NewToken {
  readonly projects?: readonly string[];
  readonly read?: readonly string[];
  readonly allow_overwrite?: true;
  readonly allow_delete?: true;
  readonly allow_manage?: true;
  readonly existing_projects_only?: true;
  readonly previews_only?: true;
  readonly allow_tokens?: true;
  readonly expires?: string;
  readonly description?: string;
}

type Flags = Readonly<Record<string, unknown>>;

/** The flags of `lectern token add` with a list of projects each. */
export const PROJECT_FLAGS = ['project', 'read'] as const;

/** Flags of rights, and of bounds, by the name that cac gives them. */
const RIGHTS = {
  allowOverwrite: 'allow_overwrite',
  allowDelete: 'allow_delete',
  allowManage: 'allow_manage',
  existingProjectsOnly: 'existing_projects_only',
  previewsOnly: 'previews_only',
  allowTokens: 'allow_tokens',
} as const satisfies Record<string, keyof NewToken>;

/** Returns a random secret: 256 bits, as base64url, which needs no quoting. */
export function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns the SHA-256 of a secret as the tokens file has it: in hexadecimal. */
export function sha256Of(secret: string): string {
  return createHash('sha256').update(secret, 'utf8').digest('hex');
}

/** Reads the rights of a new token from flags. @throws StartError unless the flags say for which projects it is */
export function newTokenOf(flags: Flags): NewToken {
  const [project, read] = PROJECT_FLAGS.map((flag) => listFlag(flags, flag));
  const isForAll = flags.allProjects === true;
  if (isForAll && (project ?? read) !== undefined) {
    throw new StartError('give --all-projects, or --project and --read, not both');
  }
  if (!isForAll && (project ?? read) === undefined) {
    throw new StartError('say for which projects: --project <name>, --read <name>, or --all-projects');
  }
  const expires = textFlag(flags, 'expires');
  const description = textFlag(flags, 'description');
  const rights = Object.entries(RIGHTS).filter(([flag]) => flags[flag] === true);
  return {
    ...(isForAll ? {} : { projects: project ?? [] }),
    ...(read === undefined ? {} : { read }),
    ...Object.fromEntries(rights.map(([, right]) => [right, true])),
    ...(expires === undefined ? {} : { expires }),
    ...(description === undefined ? {} : { description }),
  };
}

/** A flag that may be repeated; its values may have commas between them. */
function listFlag(flags: Flags, name: string): readonly string[] | undefined {
  if (flags[name] === undefined) return undefined;
  const words = [flags[name]].flat().flatMap((value) => String(value).split(','));
  return words.map((word) => word.trim()).filter((word) => word !== '');
}
