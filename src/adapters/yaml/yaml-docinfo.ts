import { createRequire } from 'node:module';
import * as z from 'zod';
import { type DocinfoReading, SitePath } from '../../domain/index.js';

const text = z.union([z.string(), z.number(), z.boolean()]).transform(String).optional();

/** Other fields are ignored (contract section 4). */
const fields = z.object({
  name: text,
  title: text,
  description: text,
  logo: text,
  switcher: z.boolean().optional(),
});

/** Loaded when there is something to read, which a start of an empty server has not. */
const require = createRequire(import.meta.url);
const yaml = () => require('yaml') as typeof import('yaml');

/** YAML aliases multiply; a description of a project has no use for more than a few. */
const MOST_ALIASES = 10;

/**
 * Reads the text of a docinfo file. JSON is YAML, so one reader serves all three file names.
 * Never throws: what is wrong comes back as `problem`, worded to follow the file's name.
 */
export function readYamlDocinfo(source: string): DocinfoReading {
  let value: unknown;
  try {
    value = yaml().parse(source, { maxAliasCount: MOST_ALIASES, logLevel: 'error' });
  } catch (error) {
    return { problem: `is not valid YAML or JSON (${firstLine(error)})` };
  }
  if (value === null || value === undefined) return { docinfo: {} };
  const parsed = fields.safeParse(value);
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

/** Text on one line, as lists show it; undefined when nothing is left. */
function oneLine(value: string | undefined): string | undefined {
  const line = value?.replace(/\s+/g, ' ').trim();
  return line === '' ? undefined : line;
}

function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return (message.split('\n', 1)[0] ?? '').replace(/:$/, '');
}
