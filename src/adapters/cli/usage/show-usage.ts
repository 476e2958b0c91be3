import { counted, quote, visible } from '../../../domain/index.js';
import { type Answer, ClientError } from '../client/index.js';
import { type Call, suggesting, writeJson } from '../commands/client-call.js';
import { textFlag } from '../options/option-reader.js';
import { EXIT, StartError } from '../start-error.js';

/** Prints how a project is read: versions, pages that are read most, missing pages and files. */
export async function showUsage(project: string | undefined, call: Call): Promise<number> {
  const { client, flags, terminal } = call;
  if (project === undefined) throw new StartError('give a project or --access-log');
  const days = textFlag(flags, 'days') ?? '30';
  if (!/^[1-9]\d{0,2}$/.test(days))
    throw new StartError(`--days: expected a number from 1 to 400, not ${quote(days)}`);
  const ask = <T>(work: () => Promise<T>) =>
    suggesting(client, project, 'latest', work).catch((error: unknown) => {
      if (!(error instanceof ClientError) || error.code !== 'not_found') throw error;
      const { code } = error;
      throw new ClientError('refused', `${client.url} does not count reads`, { code, cause: error });
    });
  if (flags.csv === true) {
    terminal.out.write(await ask(() => client.usageCsv(project, days)));
    return EXIT.done;
  }
  const usage = await ask(() => client.usage(project, days));
  if (flags.json === true) return writeJson(usage, call);
  for (const line of linesOf(usage)) terminal.out.write(`${visible(line)}\n`);
  return EXIT.done;
}

function linesOf({
  from,
  to,
  reads,
  agents,
  not_found,
  versions,
  pages,
  agent_pages,
  missing,
  missing_files,
}: Answer<'Usage'>): readonly string[] {
  const width = String(Math.max(reads, not_found)).length;
  const row = (count: number, ...words: readonly string[]) =>
    `  ${String(count).padStart(width)}  ${words.join('  ')}`;
  return [
    `${from} to ${to}: ${counted(reads, 'read')}${agents > 0 ? `, ${agents} by agents` : ''}, ${counted(not_found, 'request')} for missing pages and files`,
    ...section(
      'versions',
      versions.map(({ version, reads }) => row(reads, version)),
    ),
    ...section(
      'pages',
      pages.map(({ path, reads }) => row(reads, path)),
    ),
    ...section(
      'pages read by agents',
      agent_pages.map((page) => row(page.agents, page.path)),
    ),
    ...section(
      'missing pages',
      missing.map((each) => {
        const remedy = each.proposed_redirect ?? (each.leads_to === undefined ? '' : `now ${each.leads_to}`);
        return row(each.not_found, each.path, remedy).trimEnd();
      }),
    ),
    ...section(
      'missing files',
      missing_files.map(({ path, not_found }) => row(not_found, path)),
    ),
  ];
}

function section(title: string, rows: readonly string[]): readonly string[] {
  return rows.length === 0 ? [] : [title, ...rows];
}
