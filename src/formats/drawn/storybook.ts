import { listIn } from '../../domain/list-in.js';
import {
  arrayIn,
  type DrawnPage,
  drawnPage,
  encoded,
  escaped,
  fieldsIn,
  jsonIn,
  nameIn,
} from './drawn-page.js';

/** Max. entries that are read. */
const MAX_ENTRIES = 20_000;
const MAX_TAGS = 20;
/** Tags that Storybook gives by itself. */
const OWN_TAGS = /^(?:dev|test|manifest|autodocs|story|docs|play-fn|(?:un)?attached-mdx)$/;

interface Entry {
  readonly id: string;
  readonly title: string;
  readonly name: string;
  readonly isDocs: boolean;
  readonly tags: readonly string[];
  readonly importPath: string | undefined;
}

/**
 * Pages of a Storybook, by its `index.json` of format 4 or 5: one for each component, whose sections are its stories. Its address is
 * that of its docs, or of its first story.
 */
export function storybookPages(text: string): DrawnPage[] {
  const entries = Object.values(fieldsIn(fieldsIn(jsonIn(text)).entries)).slice(0, MAX_ENTRIES);
  const components = new Map<string, Entry[]>();
  for (const entry of entries.flatMap((each) => entryIn(each) ?? [])) {
    listIn(components, entry.title).push(entry);
  }
  return Array.from(components, ([title, of]) => pageOf(title, of));
}

function entryIn(value: unknown): Entry | undefined {
  const fields = fieldsIn(value);
  const id = nameIn(fields.id);
  const title = nameIn(fields.title);
  const name = nameIn(fields.name);
  if (id === undefined || title === undefined || name === undefined) return undefined;
  const tags = arrayIn(fields.tags).flatMap((tag) => nameIn(tag) ?? []);
  return {
    id,
    title,
    name,
    isDocs: fields.type === 'docs',
    tags: tags.filter((tag) => !OWN_TAGS.test(tag)).slice(0, MAX_TAGS),
    importPath: nameIn(fields.importPath),
  };
}

function pageOf(title: string, entries: readonly Entry[]): DrawnPage {
  const [first] = entries;
  const [docs, ...otherDocs] = entries.filter(({ isDocs }) => isDocs);
  const stories = entries.filter(({ isDocs }) => !isDocs);
  const shown = docs ?? first;
  const path = `./?path=/${docs === undefined ? 'story' : 'docs'}/${encoded(shown?.id ?? '')}`;
  const sources = new Set(entries.map(({ importPath }) => importPath).filter((each) => each !== undefined));
  const about = Array.from(sources, (source) => `<p><code>${escaped(source)}</code></p>`).join('');
  // Storybook shows docs at the address of a story, too.
  const sections = [...otherDocs, ...stories].map(
    ({ id, name, tags }) => `<h2 id="${escaped(id)}">${escaped(name)}</h2>${tagsOf(tags)}`,
  );
  return drawnPage(
    path,
    title,
    `<h1>${escaped(title)}</h1>${tagsOf(docs?.tags ?? [])}${about}${sections.join('')}`,
  );
}

function tagsOf(tags: readonly string[]): string {
  return tags.length === 0 ? '' : `<p>Tags: ${escaped(tags.join(', '))}</p>`;
}
