/** Parses JSON; undefined for invalid JSON. The parser's message would quote the text, which may be a secret. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a JSON value is an object. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A finding of a schema, as zod reports it. */
interface SchemaIssue {
  readonly code?: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** Unknown fields, with the code `unrecognized_keys`. */
  readonly keys?: readonly string[];
  /** The expected type, with the code `invalid_type`. */
  readonly expected?: string;
}

/**
 * Words the findings in a JSON file that people write: `tokens.ci.projects[1]: expected a string`.
 * @param base path of the checked value in the file
 */
export function faultsOf(base: readonly PropertyKey[], issue: SchemaIssue): string[] {
  const path = [...base, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    return (issue.keys ?? []).map((key) => `${pathOf([...path, key])}: unknown field`);
  }
  const message =
    issue.code === 'invalid_type' ? `expected ${article(issue.expected ?? 'value')}` : issue.message;
  return [`${path.length === 0 ? 'the file' : pathOf(path)}: ${message}`];
}

/** Formats a path as `tokens.ci.projects[1]`; unusual names are quoted. */
export function pathOf(path: readonly PropertyKey[]): string {
  return path
    .map((part) => {
      if (typeof part === 'number') return `[${part}]`;
      const name = String(part);
      return /^[\w-]+$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
    })
    .join('')
    .replace(/^\./, '');
}

/** The type with its article. A record of Zod is a JSON object like any other to people. */
function article(type: string): string {
  if (type === 'record') return 'an object';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}
