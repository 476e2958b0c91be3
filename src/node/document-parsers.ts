import { type DocumentParsers, escaped } from '../formats/drawn/drawn-page.js';
import { yaml } from './yaml.js';
import { yamlDocuments } from './yaml-documents.js';

/** Max. characters of Markdown that are parsed at once: `marked` takes quadratic time on some. */
const MAX_MARKDOWN = 50_000;
/** Time after which the rest of a Markdown text is taken as it is, in milliseconds. */
const MAX_MS = 2_000;
/** The parsers for files of drawn sites, loaded on the first call: most sites need none. */
export async function documentParsers(): Promise<DocumentParsers> {
  const { Marked } = await import('marked');
  return {
    yaml: (text) => yamlDocuments(yaml(), text).next().value,
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
