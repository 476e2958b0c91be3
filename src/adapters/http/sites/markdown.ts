import type { Context } from 'koa';
import type { FoundFile } from '../../../application/index.js';
import { isPage, nameInProject } from '../../../domain/index.js';
import type { MarkdownPage } from '../../../formats/html/index.js';
import type { AppParts } from '../app-parts.js';
import { waiterOf } from '../client-of.js';
import type { PublicAddress } from '../public-address.js';
import { sendText, Text } from '../response/send-text.js';
import { addressIn } from './address-in.js';
import { NO_INDEX } from './indexing.js';

const MARKDOWN = 'text/markdown; charset=utf-8';
/** Characters of a token on average. */
const CHARACTERS_PER_TOKEN = 4;
const CUT = 'The rest is missing: the page is longer than what is converted.';

/** Tells of the Markdown of an HTML page that is about to be sent, and of the list of pages. */
export function tellOfMarkdown(ctx: Context, at: PublicAddress, { version, path }: FoundFile): void {
  if (!isPage(path.toString())) return;
  ctx.vary('Accept');
  const markdown = addressIn(at, version.directoryName, `${path.toUrl()}.md`);
  const links = [
    ctx.response.get('Link'),
    `<${markdown}>; rel="alternate"; type="text/markdown"`,
    listLink(at, version.directoryName),
  ];
  ctx.set('Link', links.filter((link) => Boolean(link)).join(', '));
}

/** Sends an HTML page as Markdown. It is made once for each state of the page, also for concurrent requests. */
export async function sendMarkdown(
  ctx: Context,
  { useCases, texts, at }: AppParts,
  page: FoundFile,
): Promise<void> {
  const { project, version, path, file } = page;
  const key = `markdown/${version.revision}/${path} ${file.etag} ${project?.latest.revision}`;
  const { address, signal } = waiterOf(ctx);
  const make = async (stillAsked: AbortSignal) => {
    const converted = await useCases.readMarkdown.execute(file, true, { address, signal: stillAsked });
    const text = `${frontMatter(page, converted, at)}\n${converted.text}\n`;
    return new Text(text, MARKDOWN, {
      'X-Markdown-Tokens': `${Math.ceil(text.length / CHARACTERS_PER_TOKEN)}`,
    });
  };
  try {
    ctx.set(NO_INDEX);
    ctx.set('Link', listLink(at, version.directoryName));
    await sendText(ctx, await texts.get(key, make, 0, signal));
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
    address: addressIn(at, version.directoryName, address),
    pages: addressIn(at, version.directoryName, 'llms.txt'),
    cut: isCut ? CUT : undefined,
  };
  const lines = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${JSON.stringify(value)}\n`],
  );
  return `---\n${lines.join('')}---\n`;
}

function listLink(at: PublicAddress, directoryName: string): string {
  return `<${addressIn(at, directoryName, 'llms.txt')}>; rel="describedby"; type="text/plain"`;
}
