import type { Body } from '../../../formats/api/bodies.js';
import { RIGHTS } from '../../../formats/api/token-fields.js';
import { textFlag } from '../options/client-settings.js';
import { StartError } from '../start-error.js';

/** The rights of a new token, as the tokens file and `POST /api/tokens` have them. */
export type NewToken = Omit<Body<'NewToken'>, 'name'> & { readonly allow_tokens?: boolean };

type Flags = Readonly<Record<string, unknown>>;

/** The flags of `lectern token add` with a list of projects each. */
export const PROJECT_FLAGS = ['project', 'read'] as const;

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
  // cac names the flags of rights, such as `--allow-overwrite`, in camel case.
  const rights = Object.entries(RIGHTS).filter(([, flag]) => flags[flag] === true);
  return {
    ...(isForAll ? {} : { projects: project ?? [] }),
    ...(read === undefined ? {} : { read }),
    ...Object.fromEntries(rights.map(([right]) => [right, true])),
    ...(expires === undefined ? {} : { expires }),
    ...(description === undefined ? {} : { description }),
  };
}

/** A flag that may be repeated; its values may have commas between them. */
function listFlag(flags: Flags, name: string): string[] | undefined {
  if (flags[name] === undefined) return undefined;
  const words = [flags[name]].flat().flatMap((value) => String(value).split(','));
  return words.map((word) => word.trim()).filter((word) => word !== '');
}
