import { quote, visible } from '../../../domain/index.js';
import { ClientError, type FoundPages } from '../client/index.js';
import { EXIT } from '../exit-codes.js';
import { textFlag } from '../options/client-settings.js';
import { StartError } from '../start-error.js';
import { type Call, writeJson } from './client-call.js';
import { suggesting } from './suggestions.js';

/** Prints the pages that were found, best first: where, address, snippet. */
export async function search(words: readonly string[], call: Call): Promise<number> {
  const { client, flags, terminal } = call;
  const q = words.join(' ').trim();
  if (q === '') throw new StartError('give words to search for');
  const [project, version] = [textFlag(flags, 'project'), textFlag(flags, 'version')];
  if (version !== undefined && project === undefined) throw new StartError('--version needs a --project');
  const asked = {
    q,
    ...(project === undefined ? {} : { project }),
    ...(version === undefined ? {} : { version }),
  };
  const found = await suggesting(client, project ?? '', version ?? 'latest', () =>
    client.search(asked),
  ).catch((error: unknown) => {
    if (error instanceof ClientError && error.code === 'not_found') {
      throw new ClientError('refused', `${client.url} has no search of pages`, {
        code: error.code,
        cause: error,
      });
    }
    throw error;
  });
  const code = found.results.length === 0 ? EXIT.notFound : EXIT.done;
  if (flags.json === true) {
    writeJson(found, call);
    return code;
  }
  for (const result of found.results) terminal.out.write(entryOf(result, client.url));
  for (const note of notesOf(q, found)) terminal.notes.write(`${visible(note)}\n`);
  return code;
}

function entryOf(result: FoundPages['results'][number], server: string): string {
  const { project, version, title, path, heading, url, snippet } = result;
  const place = [`${project} ${version}: ${title || path}`, ...(heading === undefined ? [] : [heading])].join(
    ' › ',
  );
  const lines = [place, new URL(url, server).href, snippet.map(({ text }) => text).join('')];
  return `${lines.map(visible).join('\n  ')}\n`;
}

function notesOf(
  q: string,
  { results, total, corrected_to, indexing, incomplete }: FoundPages,
): readonly string[] {
  return [
    ...(corrected_to === undefined ? [] : [`No page has ${quote(q)}; these have ${quote(corrected_to)}`]),
    ...(results.length === 0 && corrected_to === undefined && incomplete !== true
      ? [`No page has ${quote(q)}`]
      : []),
    ...(total > results.length ? [`These are the first ${results.length} of ${total} pages`] : []),
    ...(incomplete === true
      ? [
          'The search took too long and was stopped: there may be more. Search in one project, or for other words',
        ]
      : []),
    ...(indexing === 0
      ? []
      : [
          `${indexing} ${indexing === 1 ? 'version is' : 'versions are'} still being read: try again in a few seconds`,
        ]),
  ];
}
