import type { FoundFile } from '../../../application/index.js';
import { nameInProject, shownSource, sourceLinks } from '../../../domain/index.js';
import type { MarkdownPage } from '../../../formats/html/index.js';
import type { AppParts } from '../app-parts.js';
import type { PublicAddress } from '../public-address.js';
import { type Answer, type Asked, NO_INDEX, textAnswer } from '../response/answer.js';
import { Text } from '../response/texts.js';

const MARKDOWN = 'text/markdown; charset=utf-8';
/** Characters of a token on average. */
const CHARACTERS_PER_TOKEN = 4;
const CUT = 'The rest is missing: the page is too long to convert.';

/** Links in the headers of an HTML page: to its Markdown, and to the list of pages. */
export function markdownLinks({ version, path }: FoundFile, at: PublicAddress): readonly string[] {
  const markdown = at.inVersion(version.directoryName, `${path.toUrl()}.md`);
  return [`<${markdown}>; rel="alternate"; type="text/markdown"`, listLink(at, version.directoryName)];
}

/** An HTML page as Markdown. It is made once for each state of the page, also for concurrent requests. */
export async function markdownAnswer(
  page: FoundFile,
  { waiter: { address, signal } }: Asked,
  { useCases, texts, at, readers }: AppParts,
): Promise<Answer> {
  const { project, version, path, file } = page;
  // A page of a public project is the same for everybody; readers of a private project are known.
  const source = sourceText(page, !readers.isPublic(version.project));
  const key = `markdown/${version.revision}/${path} ${file.etag} ${project?.latest.revision} ${source}`;
  const make = async (stillAsked: AbortSignal) => {
    const converted = await useCases.readMarkdown.execute(file, true, { address, signal: stillAsked });
    const text = `${frontMatter(page, converted, source, at)}\n${converted.text}\n`;
    return new Text(text, MARKDOWN, {
      'X-Markdown-Tokens': `${Math.ceil(text.length / CHARACTERS_PER_TOKEN)}`,
    });
  };
  try {
    return {
      ...textAnswer(await texts.get(key, make, 0, signal)),
      headers: { ...NO_INDEX, Link: listLink(at, version.directoryName) },
      counts: { as: 'agents', version, path: path.toString() },
    };
  } finally {
    await file.close();
  }
}

/** Returns facts about the page as YAML, in which JSON strings are valid. */
function frontMatter(
  { project, version, path }: FoundFile,
  { title, language, isCut }: MarkdownPage,
  source: string | undefined,
  at: PublicAddress,
): string {
  const address = path.toUrl().replace(/(^|\/)index\.html$/, '$1');
  const fields = {
    title,
    project: version.project,
    version: nameInProject(version),
    latest: project?.isLatest(version) ? undefined : project?.latest.label,
    language,
    address: at.inVersion(version.directoryName, address),
    pages: at.inVersion(version.directoryName, 'llms.txt'),
    source,
    cut: isCut ? CUT : undefined,
  };
  const lines = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${JSON.stringify(value)}\n`],
  );
  return `---\n${lines.join('')}---\n`;
}

/** Address of the commit that a site was built from, else its repository and commit; nothing that only a client told. */
function sourceText(page: FoundFile, isKnown: boolean): string | undefined {
  const source = shownSource(page, isKnown);
  if (source?.toldBy !== 'issuer') return undefined;
  const { repository, commit } = source;
  const links = sourceLinks(source);
  const text = [repository, commit].filter((part) => part !== undefined).join(' ');
  return links.commit ?? links.repository ?? (text === '' ? undefined : text);
}

function listLink(at: PublicAddress, directoryName: string): string {
  return `<${at.inVersion(directoryName, 'llms.txt')}>; rel="describedby"; type="text/plain"`;
}
