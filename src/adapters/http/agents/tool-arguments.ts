import type { Tool } from './tools.js';

const MAX_CHARACTERS = 500;
/** A path has up to 1,024 bytes, each of which may be percent-encoded in an address. */
const MAX_ADDRESS = 4_000;
const TOKENS = { least: 200, most: 8_000 };

/** Names that models guess, and what they mean. */
const MEANT: Readonly<Record<string, string>> = {
  library: 'project',
  libraryName: 'project',
  library_name: 'project',
  package: 'project',
  name: 'project',
  q: 'query',
  question: 'query',
  topic: 'query',
  search: 'query',
  page: 'path',
  url: 'path',
  address: 'path',
  uri: 'path',
  section: 'anchor',
  tokens: 'max_tokens',
  maxTokens: 'max_tokens',
  limit: 'max_tokens',
  directory: 'under',
  prefix: 'under',
  before: 'from',
  from_version: 'from',
  after: 'to',
  to_version: 'to',
};
const ADDRESSES = new Set(['path', 'under']);
/** Arguments that are taken but not listed. */
const UNLISTED = new Set(['anchor']);

/** The question for a tool, or a sentence on what is wrong with its arguments. */
type ReadArguments = { readonly question: never } | { readonly fault: string };

/**
 * Reads the arguments of a call. Numbers may be text, and the reverse; unknown names are left out.
 * @param byPath path address for the address of a page
 */
export function readArguments(
  name: string,
  { properties, required = [] }: Tool,
  given: Readonly<Record<string, unknown>>,
  { byPath }: { byPath(address: string): string },
): ReadArguments {
  const known = (argument: string) => Object.hasOwn(properties, argument) || UNLISTED.has(argument);
  const read: Record<string, string | number> & { maxTokens?: number } = {};
  for (const [key, value] of Object.entries(given)) {
    const meant = known(key) ? key : meantBy(key, known);
    if (meant === undefined || value === null || value === undefined || value === '') continue;
    // A name as it is listed wins over a guessed one.
    if (meant !== key && given[meant] !== undefined) continue;
    if (typeof value !== 'string' && typeof value !== 'number')
      return { fault: `'${meant}' has to be a ${properties[meant]?.type ?? 'string'}.` };
    if (meant === 'max_tokens') {
      const tokens = Number(value);
      if (!Number.isFinite(tokens)) return { fault: "'max_tokens' has to be a number." };
      read.maxTokens = Math.min(TOKENS.most, Math.max(TOKENS.least, Math.floor(tokens)));
    } else {
      const most = ADDRESSES.has(meant) ? MAX_ADDRESS : MAX_CHARACTERS;
      if (`${value}`.length > most) return { fault: `'${meant}' has more than ${most} characters.` };
      read[meant] = meant === 'path' ? byPath(`${value}`) : `${value}`;
    }
  }
  const missing = required.filter((argument) => read[argument] === undefined);
  if (missing.length > 0) {
    const names = Object.keys(properties).join(', ');
    return { fault: `Give ${missing.map((each) => `'${each}'`).join(' and ')}. ${name} takes ${names}.` };
  }
  // The names of arguments are those of the questions.
  return { question: read as never };
}

function meantBy(key: string, known: (argument: string) => boolean): string | undefined {
  if (!Object.hasOwn(MEANT, key)) return undefined;
  const meant = MEANT[key] as string;
  if (known(meant)) return meant;
  // What is looked for among projects is their name.
  return meant === 'project' && known('query') ? 'query' : undefined;
}
