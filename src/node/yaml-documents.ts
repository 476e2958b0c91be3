import type { Document, SchemaOptions, YAMLMap } from 'yaml';

type Yaml = typeof import('yaml');

/** Max. characters of YAML: the value made from it takes some hundred times as much memory. */
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

/** Texts as they were written, such as `3.10` and `yes`, and null. */
const AS_WRITTEN: SchemaOptions = { schema: 'failsafe', customTags: ['null'] };

interface YamlOptions {
  /** Whether scalars are texts as they were written, or null, and a key that is given twice is an error. */
  readonly asWritten?: boolean;
}

/**
 * Yields the values of the documents in a YAML text that nobody vouches for, within bounds of time and memory.
 * @throws Error worded to follow the name of the text: `is not valid YAML (… at line 3, column 1)`
 */
export function* yamlDocuments(
  yaml: Yaml,
  text: string,
  { asWritten = false }: YamlOptions = {},
): Generator<unknown, undefined> {
  const { Composer, Lexer, Parser } = yaml;
  if (text.length > MAX_YAML) throw new Error('is too long');
  if (opensTooMuch(new Lexer().lex(text))) throw new Error('has too much in it');
  const tokens = [...new Parser().parse(text)];
  if (isDeeperThan(MAX_LEVELS, tokens)) throw new Error('is nested too deeply');
  // The composer takes quadratic time to find keys that are given twice.
  const options = { uniqueKeys: false, prettyErrors: false, logLevel: 'silent' } as const;
  const composer = new Composer({ ...options, ...(asWritten ? AS_WRITTEN : {}) });
  const documents = composer.compose(tokens, true, text.length);
  const next = () => {
    const { done, value: document } = documents.next();
    if (done) return undefined;
    const [error] = document.errors;
    const fault = error ?? (asWritten ? repeatedKey(yaml, document) : undefined);
    if (fault !== undefined) throw new Error(`is not valid YAML (${placed(fault, text)})`);
    return { value: document.toJS({ maxAliasCount: MAX_ALIASES }) as unknown };
  };
  for (let each = withoutStacks(next); each !== undefined; each = withoutStacks(next)) yield each.value;
}

/** Does work whose errors need no stack traces: there may be an error for each token. */
function withoutStacks<T>(work: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

interface Fault {
  readonly message: string;
  readonly pos: readonly [number, ...number[]];
}

/** Returns the message and position of an error, on one line. */
export function placed({ message, pos }: Fault, text: string): string {
  const before = text.slice(0, pos[0]).split('\n');
  const column = (before.at(-1) ?? '').length + 1;
  return `${message.split('\n', 1)[0]} at line ${before.length}, column ${column}`;
}

function repeatedKey({ isScalar, visit }: Yaml, document: Document): Fault | undefined {
  let fault: Fault | undefined;
  visit(document, {
    Map(_, { items }: YAMLMap) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) fault ??= { message: 'Key is given twice', pos: key.range ?? [0] };
        seen.add(key.value);
      }
    },
  });
  return fault;
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
