import { type Docinfo, MAX_DOCINFO_TEXT, MAX_TAG_CHARACTERS, MAX_TAGS } from '../docinfo.js';
import { fold } from '../search/search-term.js';

/** What was set for a project of what its docinfo may also say, which it wins over, and its title. */
export interface ProjectDescription
  extends Pick<Docinfo, 'description' | 'group' | 'tags' | 'owner' | 'repository' | 'contact'> {
  /** The name on pages. */
  readonly title?: string;
}

/** The JSON form of a description. */
export type DescriptionBody = Omit<ProjectDescription, 'tags'> & { tags?: string[] };

/** Max. characters of each text. */
const MAX_TEXT = { title: 100, description: 1_000, ...MAX_DOCINFO_TEXT } as const;

/**
 * Reads the JSON form of a description: one line of text each, and a list of texts as `tags`.
 * @param fault is called for each field that cannot be read, with the reason
 */
export function readDescription(
  fields: readonly (readonly [string, unknown])[],
  fault: (field: string, why: string) => void,
): ProjectDescription {
  const description: Record<string, unknown> = {};
  for (const [field, value] of fields) {
    const why = field === 'tags' ? whyNoTags(value) : whyNoText(field, value);
    if (why !== undefined) fault(field, why);
    else description[field] = Array.isArray(value) ? [...value] : value;
  }
  return description;
}

/** Returns the JSON form of a description, sorted: equal ones have the same. */
export function descriptionBody({ tags, ...texts }: ProjectDescription): DescriptionBody {
  const fields = { ...texts, ...(tags === undefined ? {} : { tags: [...tags] }) };
  return Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function whyNoText(field: string, value: unknown): string | undefined {
  if (!isTextField(field)) return 'unknown field';
  return whyNoLine(value, MAX_TEXT[field]);
}

function isTextField(field: string): field is keyof typeof MAX_TEXT {
  return Object.hasOwn(MAX_TEXT, field);
}

function whyNoTags(value: unknown): string | undefined {
  if (!Array.isArray(value)) return 'expected a list of texts';
  if (value.length === 0 || value.length > MAX_TAGS) return `expected 1 to ${MAX_TAGS} texts`;
  for (const tag of value) {
    const why = whyNoLine(tag, MAX_TAG_CHARACTERS) ?? (tag.includes(',') ? 'expected no comma' : undefined);
    if (why !== undefined) return `${why} in each`;
  }
  const isDistinct = new Set(value.map(fold)).size === value.length;
  return isDistinct ? undefined : 'expected texts that differ by more than case';
}

/** Returns the reason why a value is not one line of text without white space around it. */
function whyNoLine(value: unknown, max: number): string | undefined {
  if (typeof value !== 'string' || value.trim() === '') return 'expected a text';
  if (value.trim() !== value) return 'expected no white space around the text';
  if ([...value].length > max) return `expected at most ${max} characters`;
  return /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u.test(value)
    ? 'expected one line without control characters'
    : undefined;
}
