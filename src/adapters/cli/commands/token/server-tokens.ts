import type { LecternClient } from '../../client/index.js';
import { StartError } from '../../start-error.js';
import type { Tokens } from './tokens.js';

/** The tokens that the client's token has made on its server. */
export function serverTokens(client: LecternClient): Tokens {
  return {
    list: async () => (await client.madeTokens()).tokens,
    add: async (name, token) => {
      const made = await client.makeToken({ name, ...token });
      return { secret: made.token, note: `This is the secret of '${made.name}'; it is not shown again` };
    },
    revoke: async (name) => client.revokeToken(...(await partsOf(name, client))),
  };
}

/** Takes `<maker>/<name>`, or the name alone: the maker is the client's token then. */
async function partsOf(name: string, client: LecternClient): Promise<[maker: string, name: string]> {
  const slash = name.lastIndexOf('/');
  if (slash !== -1) return [name.slice(0, slash), name.slice(slash + 1)];
  const own = await client.token();
  if (typeof own === 'object') return [own.name, name];
  throw new StartError('the server does not know the token; give one that has made tokens');
}
