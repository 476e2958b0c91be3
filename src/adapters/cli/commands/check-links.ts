import { counted, visible } from '../../../domain/index.js';
import { byTarget, missingWord } from '../../../formats/links/link-report.js';
import { type Answer, ClientError } from '../client/index.js';
import { EXIT } from '../start-error.js';
import { type Call, suggesting, writeJson } from './client-call.js';

type DeadLink = Answer<'DeadLinks'>['by_page'][number]['links'][number];

/** Max. pages that are named for each missing target; `--json` has all. */
const MAX_FROM = 5;

/** Prints the dead links of a version, by missing target. */
export async function checkLinks(project: string, version: string | undefined, call: Call): Promise<number> {
  const { client, flags, terminal } = call;
  const label = version ?? 'latest';
  const found = await suggesting(client, project, label, () => client.deadLinks(project, label));
  if (!found.checked)
    throw new ClientError('refused', `${client.url} does not check the links of ${project} ${label}`);
  const code = found.dead === 0 ? EXIT.done : EXIT.deadLinks;
  if (flags.json === true) {
    writeJson(found, call);
    return code;
  }
  for (const target of byTarget(found.by_page)) {
    terminal.out.write(`${linesOf(target).map(visible).join('\n')}\n`);
  }
  for (const note of notesOf(found)) terminal.notes.write(`${visible(note)}\n`);
  return code;
}

function linesOf({ from, ...missing }: ReturnType<typeof byTarget<DeadLink>>[number]): readonly string[] {
  const { target, closest } = missing;
  const more = from.length - MAX_FROM;
  return [
    `${target}: no ${missingWord(missing)}${closest === undefined ? '' : `, closest: ${closest}`}`,
    ...from.slice(0, MAX_FROM).map(({ path, link }) => `  ${path}: ${link}`),
    ...(more > 0 ? [`  and in ${counted(more, 'more page')}`] : []),
  ];
}

function notesOf({ version, pages, dead, cut, by_page }: Answer<'DeadLinks'>): readonly string[] {
  const listed = by_page.reduce((sum, { links }) => sum + links.length, 0);
  return [
    `${counted(dead, 'dead link')} in ${counted(pages, 'page')} of ${version}`,
    ...(listed < dead ? [`Showing the first ${listed}`] : []),
    ...(cut === true ? ['The site is too large to check all of it: there may be more'] : []),
  ];
}
