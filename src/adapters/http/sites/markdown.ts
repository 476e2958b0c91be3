import type { FoundFile } from '../../../application/index.js';
import { nameInProject } from '../../../domain/index.js';
import type { MarkdownPage } from '../../../formats/html/index.js';
import type { AppParts } from '../app-parts.js';
import type { PublicAddress } from '../public-address.js';
import { type Answer, type Asked, NO_INDEX, textAnswer } from '../response/answer.js';
import { Text } from '../response/texts.js';

const MARKDOWN = 'text/markdown; charset=utf-8';
/** Characters of a token on average. */
const CHARACTERS_PER_TOKEN = 4;
const CUT = 'The rest is missing: the page is longer than what is converted.';

/** Links in the headers of an HTML page: to its Markdown, and to the list of pages. */
export function markdownLinks({ version, path }: FoundFile, at: PublicAddress): readonly string[] {
  const markdown = at.inVersion(version.directoryName, `${path.toUrl()}.md`);
  return [`<${markdown}>; rel="alternate"; type="text/markdown"`, listLink(at, version.directoryName)];
}

/** An HTML page as Markdown. It is made once for each state of the page, also for concurrent requests. */
export async function markdownAnswer(
  page: FoundFile,
  { waiter: { address, signal } }: Asked,
  { useCases, texts, at }: AppParts,
): Promise<Answer> {
  const { project, version, path, file } = page;
  const key = `markdown/${version.revision}/${path} ${file.etag} ${project?.latest.revision}`;
  const make = async (stillAsked: AbortSignal) => {
    const converted = await useCases.readMarkdown.execute(file, true, { address, signal: stillAsked });
    const text = `${frontMatter(page, converted, at)}\n${converted.text}\n`;
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

/** What the page is, as YAML: JSON strings are that, too. */
function frontMatter(
  { project, version, path }: FoundFile,
  { title, language, isCut }: MarkdownPage,
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
    cut: isCut ? CUT : undefined,
  };
  const lines = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${JSON.stringify(value)}\n`],
  );
  return `---\n${lines.join('')}---\n`;
}

function listLink(at: PublicAddress, directoryName: string): string {
  return `<${at.inVersion(directoryName, 'llms.txt')}>; rel="describedby"; type="text/plain"`;
}
