import { type ListedToken, naming, StartError, type TokensFile } from '../adapters/cli/index.js';
import {
  editTokensFile,
  parseTokensFile,
  readTokensFile,
  withEntry,
  withoutEntry,
} from '../adapters/json/index.js';
import { quote } from '../domain/index.js';
import { grantsOf, tokenBody } from '../formats/api/token-fields.js';

/** `lectern token add`, `list` and `revoke`: the tokens file at a path. */
export function tokensFileAt(path: string): TokensFile {
  const what = `the tokens file ${path}`;
  return {
    list: () => naming(what, listed(path)),
    add: (name, token, sha256) =>
      naming(
        what,
        editTokensFile(path, (text) => {
          const { tokens, issuers } = parseTokensFile(text);
          if (issuers.some((issuer) => issuer.name === name)) {
            throw new StartError(`${quote(name)} is an entry of trusted_issuers; use another name`);
          }
          if (tokens.has(name)) {
            throw new StartError(`token ${quote(name)} already exists; revoke it first, or use another name`);
          }
          return withEntry(text, name, { sha256, ...token });
        }),
      ),
    revoke: (name) =>
      naming(
        what,
        editTokensFile(path, (text) => {
          if (!parseTokensFile(text).tokens.has(name))
            throw new StartError(`token ${quote(name)} does not exist`);
          return withoutEntry(text, name);
        }),
      ),
  };
}

async function listed(path: string): Promise<readonly ListedToken[]> {
  const entries = parseTokensFile(await readTokensFile(path)).tokens;
  return [...entries].map(([name, entry]) => {
    const { description } = entry;
    return { ...tokenBody(name, grantsOf(entry)), ...(description === undefined ? {} : { description }) };
  });
}
