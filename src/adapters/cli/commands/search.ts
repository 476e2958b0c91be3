import { lackedBy, quote, searchedTo, visible } from '../../../domain/index.js';
import { type Answer, ClientError } from '../client/index.js';
import { textFlag } from '../options/option-reader.js';
import { EXIT, StartError } from '../start-error.js';
import { type Call, suggesting, writeJson } from './client-call.js';

/** Max. number of projects with an equal page that are named. */
const MAX_NAMED = 8;

/** Prints the pages that were found, best first: where, address, snippet. */
export async function search(words: readonly string[], call: Call): Promise<number> {
  const { client, flags, terminal } = call;
  const q = words.join(' ').trim();
  if (q === '') throw new StartError('give words to search for');
  const [project, version] = [textFlag(flags, 'project'), textFlag(flags, 'version')];
  if (version !== undefined && project === undefined) throw new StartError('--version needs --project');
  const asked = {
    q,
    ...given(flags, 'project', 'version', 'group', 'tag', 'owner', 'limit'),
    ...(flags.allProjects === true ? { all_projects: 'true' } : {}),
  };
  const found = await suggesting(client, project ?? '', version ?? 'latest', () =>
    client.search(asked),
  ).catch((error: unknown) => {
    if (error instanceof ClientError && error.code === 'not_found') {
      throw new ClientError('refused', `${client.url} has no page search`, {
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

/** The values of the flags that are given, by name. */
function given(flags: Call['flags'], ...names: readonly string[]): Readonly<Record<string, string>> {
  const values = names.map((name) => [name, textFlag(flags, name)] as const);
  return Object.fromEntries(
    values.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  );
}

function entryOf(result: Answer<'FoundPages'>['results'][number], server: string): string {
  const { project, version, title, path, heading, url, snippet, lacks, read_to } = result;
  const { also_in: others = [], same_in: equal = [] } = result;
  const place = [`${project} ${version}: ${title || path}`, ...(heading === undefined ? [] : [heading])].join(
    ' › ',
  );
  const versions = others.length === 0 ? [] : [`Also in ${others.join(', ')}`];
  const more = equal.length > MAX_NAMED ? ` and ${equal.length - MAX_NAMED} more (--json has all)` : '';
  const named = equal.slice(0, MAX_NAMED).map((each) => `${each.project} ${each.version}`);
  const projects = equal.length === 0 ? [] : [`The same in ${named.join(', ')}${more}`];
  const without = lacks === undefined ? [] : [lackedBy(lacks)];
  const cut = read_to === undefined ? [] : [searchedTo(read_to)];
  const text = snippet.map((part) => part.text).join('');
  const lines = [place, new URL(url, server).href, text, ...versions, ...projects, ...without, ...cut];
  // Code in a snippet has lines.
  return `${lines
    .flatMap((line) => line.split('\n'))
    .map(visible)
    .join('\n  ')}\n`;
}

function notesOf(
  q: string,
  {
    results,
    total,
    in_project,
    more,
    corrected_to,
    corrections,
    omitted_terms,
    indexing,
    incomplete,
  }: Answer<'FoundPages'>,
): readonly string[] {
  return [
    ...(in_project === undefined
      ? []
      : [
          `Searched only ${in_project.project_name} ${in_project.version}, which the words name; add --all-projects to search all projects`,
        ]),
    ...corrections.map(({ from, to }) => `No page has ${quote(from)}; showing results for ${quote(to)}`),
    ...(results.length === 0
      ? []
      : omitted_terms.map((word) => `No page has ${quote(word)}; it was ignored`)),
    ...(results.length === 0 && corrected_to === undefined && incomplete !== true
      ? [`No page has ${quote(q)}`]
      : []),
    ...(total > results.length ? [`Showing ${results.length} of ${total}${more ? '+' : ''} pages`] : []),
    ...(incomplete === true
      ? [
          'The search took too long and was stopped, so there may be more. Search one project, or use other words',
        ]
      : []),
    ...(indexing === 0
      ? []
      : [
          `${indexing} ${indexing === 1 ? 'version is' : 'versions are'} still being indexed; try again in a few seconds`,
        ]),
  ];
}
