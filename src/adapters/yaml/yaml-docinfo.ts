import type { Document } from 'yaml';
import * as z from 'zod';
import {
  CORNERS,
  closestNames,
  type DocinfoReading,
  docinfoTooLarge,
  fold,
  isServedFile,
  MAX_DOCINFO_BYTES,
  MAX_DOCINFO_TEXT,
  MAX_DOWNLOAD_LABEL,
  MAX_DOWNLOADS,
  MAX_TAG_CHARACTERS,
  MAX_TAGS,
  type UnknownField,
} from '../../domain/index.js';
import { yaml } from '../../node/yaml.js';
import { placed } from '../../node/yaml-documents.js';

/** Characters of the name of an unknown field that are given. */
const MAX_NAME = 60;
/**
 * Max. signs of nesting in a text, checked before it is parsed. The parser of `yaml` recurses for each level of
 * nesting, and V8 may abort the process on stack overflow, even inside a `try`.
 *
 * Signs are counted in the whole text, also in quotes and comments. Every level of nesting has a sign of its own, so
 * neither YAML's quoting nor the parser's error recovery can make more levels than were counted. The stack of Node.js
 * holds about 800 levels.
 */
const MAX_NESTING_SIGNS = 200;
/** Max. lines and commas. Each may add a key, which the parser compares with all others, or an error message. */
const MAX_ENTRIES = 1000;
/** Brackets; `:` of a value, which needs no space after a quoted key; `-` of a list; `?` of a complex key. */
const NESTING_SIGN = /[[\]{}:]|[-?](?=\s|$)/g;
const ENTRY_SIGN = /[\n,]/g;

/** The only value of `source`. */
const OPEN = 'public';

const plain = z.union([z.string(), z.number(), z.boolean()], 'is not text');

/** Text on one line, for lists; undefined when it is empty. */
const text = plain.transform((value) => oneLine(String(value))).optional();

const shortText = (field: keyof typeof MAX_DOCINFO_TEXT) =>
  text.refine((value = '') => [...value].length <= MAX_DOCINFO_TEXT[field], {
    message: `is longer than ${MAX_DOCINFO_TEXT[field]} characters`,
  });

/** Path of a file of the site; the empty string for none. */
const path = plain
  .transform((value) => String(value).replace(/^\.\//, ''))
  .refine((value) => value === '' || isServedFile(value), {
    message: 'is not a relative path inside the site',
  });

const logo = path.transform((value) => value || undefined).optional();

const tags = z
  .union([plain.transform((value) => String(value).split(',')), z.array(plain)], 'is not a list of strings')
  .transform((values) => distinct(values.flatMap((value) => oneLine(String(value)) ?? [])))
  .refine((values) => values.length <= MAX_TAGS, { message: `has more than ${MAX_TAGS} entries` })
  .refine((values) => values.every((value) => [...value].length <= MAX_TAG_CHARACTERS), {
    message: `has an entry of more than ${MAX_TAG_CHARACTERS} characters`,
  })
  .transform((values) => (values.length === 0 ? undefined : values))
  .optional();

const downloads = z
  .array(
    z.object(
      {
        file: path.refine((value) => value !== '', { message: 'is not a relative path inside the site' }),
        label: text.refine((value = '') => [...value].length <= MAX_DOWNLOAD_LABEL, {
          message: `is longer than ${MAX_DOWNLOAD_LABEL} characters`,
        }),
      },
      "is not a list of entries with 'file' and 'label'",
    ),
    "is not a list of entries with 'file' and 'label'",
  )
  .max(MAX_DOWNLOADS, `has more than ${MAX_DOWNLOADS} entries`)
  .optional();

/** A docinfo with another value counts, with a warning: sites had such a field before it meant anything. */
const source = z
  .unknown()
  .transform((value) => (value === OPEN ? OPEN : undefined))
  .optional();

/** The fields that are read; others are ignored (contract section 4). */
const fields = z.object({
  name: text,
  title: text,
  description: text,
  logo,
  switcher: z.boolean('is not true or false').optional(),
  switcher_corner: z.enum(CORNERS, `is not one of ${CORNERS.join(', ')}`).optional(),
  search: z.boolean('is not true or false').optional(),
  group: shortText('group'),
  tags,
  owner: shortText('owner'),
  repository: shortText('repository'),
  contact: shortText('contact'),
  downloads,
  source,
});

/**
 * Reads the text of a docinfo file. JSON is YAML, so one reader serves all three file names.
 * Never throws: an error is returned as `problem`, worded to follow the file's name.
 */
export function readYamlDocinfo(source: string): DocinfoReading {
  // Stores check the size in bytes; a text of more characters than that is too large in any case.
  if (source.length > MAX_DOCINFO_BYTES) return { problem: docinfoTooLarge };
  const unparsed = structureProblem(source);
  if (unparsed !== undefined) return { problem: unparsed };
  // Pretty errors quote the source for each error; only the first one is used, without the quote.
  const document = yaml().parseDocument(source, { prettyErrors: false, logLevel: 'error' });
  const [error] = document.errors;
  if (error !== undefined) return { problem: `is not valid YAML or JSON (${placed(error, source)})` };
  const given = topLevelOf(document);
  const parsed = fields.safeParse(given);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const [field = '', , inner] = (issue?.path ?? []).map(String);
    const place = inner === undefined ? `a '${field}'` : `'${field}' with a '${inner}'`;
    return {
      problem: field === '' ? 'has no fields at its top level' : `has ${place} that ${issue?.message}`,
    };
  }
  const { title, switcher_corner: switcherCorner, downloads, ...others } = parsed.data;
  const docinfo = { ...others, switcherCorner, name: others.name ?? title };
  const unknown = [...unknownFieldsOf(document), ...unknownSourceIn(given)];
  return {
    docinfo: Object.fromEntries(Object.entries(docinfo).filter(([, value]) => value !== undefined)),
    ...(downloads === undefined ? {} : { downloads }),
    ...(unknown.length === 0 ? {} : { unknown }),
  };
}

/** Fields of the top level that are not read, each with the one that is spelled alike. */
function unknownFieldsOf({ contents }: Document.Parsed): readonly UnknownField[] {
  const { isMap, isScalar } = yaml();
  const known = Object.keys(fields.shape);
  const names = isMap(contents)
    ? contents.items.map(({ key }) => (isScalar(key) ? oneLine(String(key.value)) : undefined))
    : [];
  return names
    .filter((name) => name !== undefined && !known.includes(name))
    .map((field = '') => ({ field: cutOff(field), meant: closestNames(field, known, 1)[0] }));
}

/** The field `source` where it has a value that means nothing. */
function unknownSourceIn(given: unknown): readonly UnknownField[] {
  const { source: value } = given as { readonly source?: unknown };
  return value === undefined || value === OPEN ? [] : [{ field: 'source', meant: `source: ${OPEN}` }];
}

function cutOff(name: string): string {
  return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name;
}

/** Collapses white space, for lists; undefined when the text is empty. */
function oneLine(value: string): string | undefined {
  return value.replace(/\s+/g, ' ').trim() || undefined;
}

/** Removes texts that differ from an earlier one by case only. */
function distinct(values: readonly string[]): string[] {
  const seen = new Set<string>();
  return values.filter((value) => seen.size < seen.add(fold(value)).size);
}

/**
 * Returns the docinfo fields of the top level. The rest is not converted: converting a whole document takes
 * cubic time in its nesting, and aliases multiply it.
 */
function topLevelOf(document: Document.Parsed): unknown {
  const { isAlias, isMap, isScalar, isSeq } = yaml();
  const { contents } = document;
  // An empty file has no contents; a file with only comments has the value null.
  if (contents === null || (isScalar(contents) && contents.value === null)) return {};
  if (!isMap(contents)) return undefined;
  const readValue = (node: unknown): unknown => {
    const target = isAlias(node) ? (node.resolve(document) ?? node) : node;
    if (!isScalar(target)) return target;
    // As it was written: 3.10 is no 3.1.
    return typeof target.value === 'number' ? (target.source ?? target.value) : target.value;
  };
  /** Reads no more of a map than the fields of a download: aliases could multiply the rest. */
  const readItem = (node: unknown): unknown => {
    const item = readValue(node);
    if (!isMap(item)) return item;
    return { file: readValue(item.get('file', true)), label: readValue(item.get('label', true)) };
  };
  const values = Object.keys(fields.shape).map((field): [string, unknown] => {
    const value = readValue(contents.get(field, true));
    return [field, isSeq(value) ? value.items.map(readItem) : value];
  });
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** Returns the exceeded limit, worded to follow the file's name; undefined when the text may be parsed. */
function structureProblem(source: string): string | undefined {
  if (count(source, NESTING_SIGN) > MAX_NESTING_SIGNS) {
    return `has more than ${MAX_NESTING_SIGNS} brackets and characters ':', '-' and '?'`;
  }
  if (count(source, ENTRY_SIGN) > MAX_ENTRIES) return `has more than ${MAX_ENTRIES} lines and commas`;
  return undefined;
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
