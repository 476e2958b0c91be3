import type { Body } from '../../../../formats/api/bodies.js';
import { RIGHTS } from '../../../../formats/api/token-fields.js';
import { listFlag, textFlag } from '../../options/option-reader.js';
import { StartError } from '../../start-error.js';

/** The rights of a new token, as the tokens file and `POST /api/tokens` have them. */
export type NewToken = Omit<Body<'NewToken'>, 'name'> & { readonly allow_tokens?: boolean };

type Flags = Readonly<Record<string, unknown>>;

/** Reads the rights of a new token from flags. @throws StartError unless the flags say for which projects it is */
export function newTokenOf(flags: Flags): NewToken {
  const [project, read] = ['project', 'read'].map((flag) => listFlag(flags, flag));
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
