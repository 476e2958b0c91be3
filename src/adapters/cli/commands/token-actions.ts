import { randomSecret, sha256Of } from '../../../application/tokens/secret.js';
import { expiresSoon, parseExpiry, visible } from '../../../domain/index.js';
import type { Body } from '../../../formats/api/bodies.js';
import { RIGHTS } from '../../../formats/api/token-fields.js';
import type { Answer, LecternClient } from '../client/index.js';
import { listFlag, textFlag } from '../options/option-reader.js';
import { EXIT, StartError } from '../start-error.js';
import { printTable, type Terminal } from '../terminal.js';

const COUNTS_WHEN = 'Takes effect when the server restarts, or within two seconds with --reload-tokens';

type Flags = Readonly<Record<string, unknown>>;

/** The rights of a new token, as the tokens file and `POST /api/tokens` have them. */
type NewToken = Omit<Body<'NewToken'>, 'name'> & { readonly allow_tokens?: boolean };

/** A token as `lectern token list` shows it. */
export type ListedToken = Answer<'TokenInfo'> & {
  readonly description?: string | undefined;
  /** Day of the last use; servers know it of tokens that were made there. */
  readonly last_used?: string | undefined;
};

/** Tokens in a place: a tokens file, or those that a token has made on a server. Each change is whole or not made. */
interface Tokens {
  list(): Promise<readonly ListedToken[]>;
  /** @returns the secret, and a sentence about it @throws StartError or ClientError, also when the name is taken */
  add(name: string, token: NewToken): Promise<{ readonly secret: string; readonly note: string }>;
  /** @returns a sentence @throws StartError or ClientError, also when there is no such name */
  revoke(name: string): Promise<string>;
}

/** The tokens file on this machine. */
export interface TokensFile {
  list(): Promise<readonly ListedToken[]>;
  /** @throws StartError when there is such a name */
  add(name: string, token: NewToken, sha256: string): Promise<void>;
  /** @throws StartError when there is no such name */
  revoke(name: string): Promise<void>;
}

/** Adds, lists or revokes tokens. @returns the exit code */
export async function runTokenAction(
  action: 'add' | 'list' | 'revoke',
  name: string,
  tokens: Tokens,
  flags: Flags,
  terminal: Terminal,
): Promise<number> {
  if (action === 'list') return listTokens(await tokens.list(), flags, terminal);
  if (action === 'revoke') {
    terminal.notes.write(`${visible(await tokens.revoke(name))}\n`);
    return EXIT.done;
  }
  const token = newTokenOf(flags);
  const { secret, note } = await tokens.add(name, token);
  terminal.out.write(`${secret}\n`);
  terminal.notes.write(`${visible(note)}\n`);
  const end = parseExpiry(token.expires ?? '');
  if (end !== undefined && end <= new Date()) {
    terminal.notes.write(`It has already expired, on ${end.toISOString()}\n`);
  }
  return EXIT.done;
}

/** The tokens in a file on this machine. */
export function fileTokens(file: TokensFile): Tokens {
  return {
    list: () => file.list(),
    add: async (name, token) => {
      const secret = randomSecret();
      await file.add(name, token, await sha256Of(secret));
      return {
        secret,
        note: `This is the secret of '${name}'; the file contains only its SHA-256. ${COUNTS_WHEN}`,
      };
    },
    revoke: async (name) => {
      await file.revoke(name);
      return `Revoked token '${name}'. ${COUNTS_WHEN}`;
    },
  };
}

/** The tokens that the client's token has made on its server. */
export function serverTokens(client: LecternClient): Tokens {
  client.assertToken();
  return {
    list: async () => (await client.madeTokens()).tokens,
    add: async (name, token) => {
      const made = await client.makeToken({ name, ...token });
      return { secret: made.token, note: `This is the secret of '${made.name}'; it will not be shown again` };
    },
    revoke: async (name) => client.revokeToken(...(await partsOf(name, client))),
  };
}

/** Says in a few words for people what a token may do. */
export function rightsOf(token: Omit<Answer<'TokenInfo'>, 'name'>): string {
  const { projects, read = [], existing_projects_only, previews_only = false } = token;
  const reads = read.length === 0 ? '' : `; read ${read.join(', ')}`;
  if (projects?.length === 0) return `publish nothing${reads}`;
  const rights = [
    'publish',
    ...(token.allow_overwrite ? ['replace'] : []),
    ...(token.allow_delete ? ['delete'] : []),
  ];
  const what = previews_only ? 'publish and delete previews' : `${rights.join(', ')} versions`;
  const which = projects === undefined ? 'every project' : projects.join(', ');
  const existing = existing_projects_only ? ', if the project exists' : '';
  const settings = token.allow_manage && !previews_only ? '; change settings' : '';
  const tokens = token.allow_tokens === true ? '; create tokens' : '';
  return `${what} of ${which}${existing}${settings}${reads}${tokens}`;
}

/** Reads the rights of a new token from flags. @throws StartError unless the flags say for which projects it is */
function newTokenOf(flags: Flags): NewToken {
  const [project, read] = ['project', 'read'].map((flag) => listFlag(flags, flag));
  const isForAll = flags.allProjects === true;
  if (isForAll && (project ?? read) !== undefined) {
    throw new StartError('give --all-projects, or --project and --read, not both');
  }
  if (!isForAll && (project ?? read) === undefined) {
    throw new StartError('choose the projects: --project <name>, --read <name>, or --all-projects');
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

/** Takes `<maker>/<name>`, or the name alone: the maker is the client's token then. */
async function partsOf(name: string, client: LecternClient): Promise<[maker: string, name: string]> {
  const slash = name.lastIndexOf('/');
  if (slash !== -1) return [name.slice(0, slash), name.slice(slash + 1)];
  const own = await client.token();
  if (typeof own === 'object') return [own.name, name];
  throw new StartError('the server does not know this token; use the one that created it');
}

function listTokens(tokens: readonly ListedToken[], flags: Flags, { out, notes }: Terminal): number {
  if (flags.json === true) {
    out.write(`${JSON.stringify({ tokens }, null, 2)}\n`);
    return EXIT.done;
  }
  const rows = tokens.map((token) => {
    const parts = [rightsOf(token), ...endOf(token, new Date()), token.description ?? ''];
    return [token.name, parts.join('  ')];
  });
  printTable(out, rows);
  if (tokens.length === 0) notes.write('No tokens\n');
  return EXIT.done;
}

function endOf({ expires }: ListedToken, now: Date): readonly string[] {
  if (expires === undefined) return [];
  const end = new Date(expires);
  if (end <= now) return [`expired on ${expires}`];
  return [`until ${expires}${expiresSoon(end, now) ? ': soon' : ''}`];
}
