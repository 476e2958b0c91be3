import { createRequire } from 'node:module';
import type { Document, YAMLError } from 'yaml';
import * as z from 'zod';
import { type DocinfoReading, docinfoTooLarge, MAX_DOCINFO_BYTES, SitePath } from '../../domain/index.js';
import { structureProblem } from './structure-bounds.js';

const text = z.union([z.string(), z.number(), z.boolean()]).transform(String).optional();

/** The fields that are read; others are ignored (contract section 4). */
const fields = z.object({
  name: text,
  title: text,
  description: text,
  logo: text,
  switcher: z.boolean().optional(),
});

/** Loaded on the first docinfo, so that a server without one starts faster. */
const require = createRequire(import.meta.url);
const yaml = () => require('yaml') as typeof import('yaml');

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
  const parsed = fields.safeParse(topLevelOf(document));
  if (!parsed.success) {
    const where = parsed.error.issues[0]?.path.join('.') ?? '';
    return {
      problem:
        where === ''
          ? 'has no fields at its top level'
          : `has a '${where}' that is not ${where === 'switcher' ? 'true or false' : 'text'}`,
    };
  }
  const name = oneLine(parsed.data.name) ?? oneLine(parsed.data.title);
  const description = oneLine(parsed.data.description);
  const logo = parsed.data.logo?.replace(/^\.\//, '');
  const docinfo = {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(logo === undefined || logo === '' ? {} : { logo }),
    ...(parsed.data.switcher === undefined ? {} : { switcher: parsed.data.switcher }),
  };
  if (docinfo.logo !== undefined && SitePath.of(docinfo.logo)?.isHidden !== false) {
    return { problem: `has a 'logo' that is no relative path inside the site` };
  }
  return { docinfo };
}

/** Collapses white space, for lists; undefined when the text is empty. */
function oneLine(value: string | undefined): string | undefined {
  const line = value?.replace(/\s+/g, ' ').trim();
  return line === '' ? undefined : line;
}

/**
 * Returns the docinfo fields of the top level. The rest is not converted: converting a whole document takes
 * cubic time in its nesting, and aliases multiply it.
 */
function topLevelOf(document: Document.Parsed): unknown {
  const { isAlias, isMap, isScalar } = yaml();
  const { contents } = document;
  // An empty file has no contents; a file with only comments has the value null.
  if (contents === null || (isScalar(contents) && contents.value === null)) return {};
  if (!isMap(contents)) return undefined;
  const values = Object.keys(fields.shape).map((field): [string, unknown] => {
    const node = contents.get(field, true);
    const target = isAlias(node) ? (node.resolve(document) ?? node) : node;
    return [field, isScalar(target) ? target.value : target];
  });
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** Returns the message and position of an error, on one line. */
function placed({ message, pos }: YAMLError, source: string): string {
  const before = source.slice(0, pos[0]).split('\n');
  const column = (before.at(-1) ?? '').length + 1;
  return `${message.split('\n', 1)[0]} at line ${before.length}, column ${column}`;
}
