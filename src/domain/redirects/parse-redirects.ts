import { counted } from '../quantities.js';
import { quote } from '../refusal/refusal.js';
import { SitePath } from '../site-path.js';
import {
  namesIn,
  type Part,
  REDIRECT_STATUSES,
  type RedirectRule,
  type RedirectStatus,
  SPLAT,
  stemOf,
} from './redirect-rule.js';
import { loopsIn, REDIRECTS_FILE, Redirects } from './redirects.js';

/** Max. rules of one file. */
export const MAX_REDIRECTS = 2_000;
/** Max. size of the file, in bytes. */
export const MAX_REDIRECTS_BYTES = 512 * 1024;
const MAX_LINE = 1_000;
/** Max. problems that are named. */
const MAX_PROBLEMS = 5;

const VARIABLE = /:([A-Za-z]\w*)/;

/** Result of reading a line. A `problem` beside a `rule` is only a warning: the rule counts. */
interface Reading {
  readonly rule?: RedirectRule;
  readonly problem?: string;
}

/** A line that is no rule. */
class Unusable extends Error {}

/**
 * Reads `_redirects` (contract section 7): a rule on each line, `<from> <to> [code]`, as Netlify, Cloudflare and GitLab
 * read it where they agree. Never throws: a rule with a mistake is left out, and named in `problems`.
 */
export function parseRedirects(text: string, maxRules = MAX_REDIRECTS): Redirects {
  const problems = new Map<number, string>();
  const rules: RedirectRule[] = [];
  let excess = 0;
  for (const [index, line] of text.split('\n').entries()) {
    const { rule, problem } = readLine(line.trim(), index + 1);
    if (problem !== undefined) problems.set(index + 1, problem);
    if (rule === undefined) continue;
    if (rules.length < maxRules) rules.push(rule);
    else excess += 1;
  }
  const loops = loopsIn(rules);
  for (const { line } of loops) problems.set(line, 'redirects to itself, so it has no effect');
  const sentences = [...problems]
    .sort(([a], [b]) => a - b)
    .map(([line, problem]) => `line ${line} ${problem}`);
  if (excess > 0) sentences.push(`it has more than ${maxRules} rules, so the last ${excess} have no effect`);
  return new Redirects(
    rules.filter((rule) => !loops.has(rule)),
    shortened(sentences),
  );
}

/** A file over the limit: none of its rules counts. */
export function redirectsTooLarge(): Redirects {
  return new Redirects([], [`it is larger than ${MAX_REDIRECTS_BYTES} bytes, so its rules have no effect`]);
}

/** A sentence on the problems of a file; undefined when there are none. */
export function describeProblems({ problems }: Redirects): string | undefined {
  return problems.length === 0 ? undefined : `In ${REDIRECTS_FILE}, ${problems.join('; ')}`;
}

function shortened(problems: readonly string[]): readonly string[] {
  const more = problems.length - MAX_PROBLEMS;
  return more <= 0 ? problems : [...problems.slice(0, MAX_PROBLEMS), counted(more, 'more problem')];
}

function readLine(text: string, line: number): Reading {
  if (text === '' || text.startsWith('#')) return {};
  if (text.length > MAX_LINE)
    return { problem: `is longer than ${MAX_LINE} characters, so it has no effect` };
  const words = text.split(/\s+/);
  const comment = words.findIndex((word) => word.startsWith('#'));
  try {
    return readRule(comment === -1 ? words : words.slice(0, comment), line);
  } catch (error) {
    if (!(error instanceof Unusable)) throw error;
    return { problem: `${error.message}, so it has no effect` };
  }
}

function readRule([from = '', ...words]: readonly string[], line: number): Reading {
  const [first, ...others] = words;
  if (first === undefined || /^\d{3}!?$/.test(first)) throw new Unusable('has no target');
  if (!isAddress(first)) throw new Unusable(`has a condition, ${quote(first)}`);
  const [code = '302', condition] = others;
  if (condition !== undefined) throw new Unusable(`has a condition, ${quote(condition)}`);
  const status = statusOf(code);
  const source = sourceOf(from);
  const { to, fragment, hasQuery } = targetIn(first, source);
  const ignored = [
    code.endsWith('!') ? "'!' is ignored: an existing page wins" : undefined,
    hasQuery ? 'the query of its target is ignored' : undefined,
  ].filter((each) => each !== undefined);
  return {
    rule: { line, ...source, to, fragment, status },
    ...(ignored.length === 0 ? {} : { problem: `works, but ${ignored.join(', and ')}` }),
  };
}

function isAddress(word: string): boolean {
  return word.startsWith('/') || /^[a-z][a-z\d+.-]*:/i.test(word);
}

function statusOf(code: string): RedirectStatus {
  const status = REDIRECT_STATUSES.find((each) => String(each) === code.replace(/!$/, ''));
  if (status !== undefined) return status;
  throw new Unusable(`has the code ${quote(code)}; a code is one of ${REDIRECT_STATUSES.join(', ')}`);
}

function sourceOf(text: string): Pick<RedirectRule, 'from' | 'hasSplat'> {
  assertOwnSite(text, 'is for');
  if (text.includes('?')) throw new Unusable('asks for a query');
  if (text.includes('#')) throw new Unusable("has a '#' in its first path, which browsers do not send");
  const hasSplat = text.endsWith('/*');
  const path = decoded(hasSplat ? text.slice(0, -1) : text);
  if (path.includes('*')) throw new Unusable("has a '*' that is not the last part of its path");
  const from = stemOf(path).map((component): Part => {
    const variable = VARIABLE.exec(component);
    if (variable === null) return component;
    if (variable[0] !== component) throw new Unusable(`has ${variable[0]} as a part of ${quote(component)}`);
    return { variable: variable[1] ?? '' };
  });
  const names = namesIn(from);
  if (names.includes(SPLAT) || new Set(names).size < names.length) {
    throw new Unusable('has two placeholders with the same name');
  }
  return { from, hasSplat };
}

function targetIn(
  text: string,
  { from, hasSplat }: Pick<RedirectRule, 'from' | 'hasSplat'>,
): Pick<RedirectRule, 'to' | 'fragment'> & { readonly hasQuery: boolean } {
  assertOwnSite(text, 'leads to');
  const [, whole = '', fragment = ''] = /^([^#]*)(#.*)?$/.exec(text) ?? [];
  const [path = '', query] = whole.split('?', 2);
  if (path.includes('*'))
    throw new Unusable("has a '*' in its target; use ':splat' for the text that '*' matched");
  const known = new Set([...namesIn(from), ...(hasSplat ? [SPLAT] : [])]);
  const to = decoded(path.slice(1))
    .split(/(:[A-Za-z]\w*)/)
    .filter((part) => part !== '')
    .map((part): Part => {
      const name = VARIABLE.exec(part)?.[1];
      if (name === undefined) return part;
      if (!known.has(name)) throw new Unusable(`has :${name} in its target only`);
      return { variable: name };
    });
  return { to, fragment: plainFragment(fragment), hasQuery: query !== undefined };
}

/** @throws Unusable for an address of another host, or an invalid one */
function assertOwnSite(text: string, verb: string): void {
  const isElsewhere = text.startsWith('//') || text.startsWith('/\\') || !text.startsWith('/');
  if (!isElsewhere) return;
  throw new Unusable(
    isAddress(text)
      ? `${verb} another host, ${quote(text)}`
      : `has ${quote(text)} where a path that begins with '/' belongs`,
  );
}

function decoded(path: string): string {
  const problem = (why: string) => new Unusable(`has a path that ${why}`);
  const components = path.split('/').map((component) => {
    try {
      return decodeURIComponent(component);
    } catch {
      throw problem('is not correctly percent-encoded');
    }
  });
  if (components.some((component) => component.includes('/'))) throw problem("has an encoded '/'");
  const text = components.join('/');
  const plain = text.replace(/^\/|\/$/g, '');
  const why = plain === '' ? undefined : SitePath.problemOf(plain);
  if (why !== undefined) throw problem(why);
  return text;
}

/** A fragment as a URL may hold it. */
function plainFragment(fragment: string): string {
  return fragment.replace(/[^\w!$%&'()*+,./:;=?@~#-]/g, (character) => {
    try {
      return encodeURIComponent(character);
    } catch {
      return '';
    }
  });
}
