import { type DocumentParsers, escaped } from '../formats/drawn/drawn-page.js';
import { yaml } from './yaml.js';

/** Max. characters of Markdown that are parsed at once: `marked` takes quadratic time on some. */
const MAX_MARKDOWN = 50_000;
/** Time after which the rest of a Markdown text is taken as it is, in milliseconds. */
const MAX_MS = 2_000;
/** Max. characters of YAML: what is made of it takes some hundred times as much memory. */
const MAX_YAML = 1_000_000;
/**
 * Max. levels of tokens, of which each level of YAML has three: its composer recurses, and V8 may abort the process when its stack
 * is full.
 */
const MAX_LEVELS = 300;
const MAX_ALIASES = 100;
/** Max. lexical tokens of YAML: more than text of that length usually has. */
const MAX_TOKENS = 250_000;
/** Max. open brackets, and signs of nesting in a line: each may nest what follows, which takes memory before it can be counted. */
const MAX_OPEN = 100;

/** The parsers for files of drawn sites, loaded on the first call: most sites need none. */
export async function documentParsers(): Promise<DocumentParsers> {
  const { Marked } = await import('marked');
  return {
    yaml: parseYaml,
    markdown(text, headingOf) {
      const marked = new Marked({ async: false, silent: true });
      if (headingOf !== undefined) {
        marked.use({
          renderer: {
            heading({ depth, text: raw }) {
              const { text: own, id } = headingOf(raw);
              const inline = marked.parseInline(own, { async: false });
              const attribute = id === undefined ? '' : ` id="${escaped(id)}"`;
              return `<h${depth}${attribute}>${inline}</h${depth}>\n`;
            },
          },
        });
      }
      const end = performance.now() + MAX_MS;
      return piecesOf(text)
        .map((piece) => {
          try {
            if (performance.now() < end) return marked.parse(piece, { async: false });
          } catch {
            // Nested too deeply.
          }
          return `<pre>${escaped(piece)}</pre>`;
        })
        .join('');
    },
  };
}

/** Pieces of a text that are short enough, from one heading to another where there are any. */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    const limit = start + MAX_MARKDOWN;
    const heading = limit < text.length ? text.lastIndexOf('\n\n#', limit) : -1;
    const end = heading > start ? heading + 2 : limit;
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}

function parseYaml(text: string): unknown {
  const { Composer, Lexer, Parser } = yaml();
  if (text.length > MAX_YAML) throw new Error('is too long');
  if (opensTooMuch(new Lexer().lex(text))) throw new Error('has too much in it');
  const tokens = [...new Parser().parse(text)];
  if (isDeeperThan(MAX_LEVELS, tokens)) throw new Error('is nested too deeply');
  const options = { uniqueKeys: false, prettyErrors: false, logLevel: 'silent' } as const;
  const { stackTraceLimit } = Error;
  // There may be an error for each token.
  Error.stackTraceLimit = 0;
  try {
    const [document] = new Composer(options).compose(tokens, true, text.length);
    if (document === undefined || document.errors.length > 0) throw new Error('is not valid');
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function opensTooMuch(tokens: Iterable<string>): boolean {
  let count = 0;
  let brackets = 0;
  let signs = 0;
  for (const token of tokens) {
    count += 1;
    if (token === '[' || token === '{') brackets += 1;
    else if (token === ']' || token === '}') brackets -= 1;
    else if (token === '-' || token === '?' || token === ':') signs += 1;
    else if (token.endsWith('\n')) signs = 0;
    if (count > MAX_TOKENS || brackets > MAX_OPEN || signs > MAX_OPEN) return true;
  }
  return false;
}

/** Whether objects are nested in others more deeply, whatever they are. */
function isDeeperThan(levels: number, root: object): boolean {
  const open: Iterator<unknown>[] = [Object.values(root).values()];
  for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
    const { done, value } = last.next();
    if (done) open.pop();
    else if (typeof value === 'object' && value !== null) open.push(Object.values(value).values());
    if (open.length > levels) return true;
  }
  return false;
}
