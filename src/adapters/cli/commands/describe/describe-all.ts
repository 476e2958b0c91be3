import { counted, type DescriptionBody, type ProjectDescription, visible } from '../../../../domain/index.js';
import { EXIT } from '../../start-error.js';
import { type Call, didYouMean, namesOf } from '../client-call.js';
import { readDescriptions } from './read-descriptions.js';

type Field = keyof ProjectDescription;

/** A description as the server tells it. */
type ToldDescription = { readonly [F in Field]?: ProjectDescription[F] | undefined };

interface Change {
  readonly project: string;
  /** The whole description, as it is to be. */
  readonly about: DescriptionBody;
  /** Each field that changes, with both values. */
  readonly line: string;
}

/**
 * Describes the projects that a file names, and prints a line for each that changes. The file is checked and every project
 * looked up before the first change. A refusal of the server ends it.
 */
export async function describeAll(file: string, call: Call): Promise<number> {
  const { client, flags, terminal } = call;
  const isDryRun = flags.dryRun === true;
  if (!isDryRun) client.assertToken();
  const { described, faults } = await readDescriptions(file);
  const changes: Change[] = [];
  const unknown: { readonly project: string; readonly path: string }[] = [];
  for (const { project, path, given } of described) {
    const found = await client.project(project);
    if (found === undefined) unknown.push({ project, path });
    else changes.push(...changeOf(project, found.settings?.about ?? {}, given));
  }
  if (faults.length + unknown.length > 0) {
    const names = unknown.length === 0 ? [] : namesOf((await client.projects()).projects);
    const missing = unknown.map(
      ({ project, path }) => `${path}: no such project${didYouMean(project, names)}`,
    );
    for (const fault of [...faults, ...missing]) {
      terminal.notes.write(`lectern: ${visible(`${file}: ${fault}`)}\n`);
    }
    terminal.notes.write('Nothing was changed\n');
    return faults.length > 0 ? EXIT.usage : EXIT.notFound;
  }
  let done = 0;
  try {
    for (const { project, about, line } of changes) {
      if (!isDryRun) await client.describe(project, about);
      terminal.out.write(`${visible(line)}\n`);
      done += 1;
    }
  } catch (error) {
    const refused = visible(changes[done]?.project ?? '');
    terminal.notes.write(
      `Stopped at ${refused}; neither it nor the rest was changed; ${counted(done, 'project')} changed\n`,
    );
    throw error;
  }
  const of = `${changes.length} of ${counted(described.length, 'project')}`;
  terminal.notes.write(isDryRun ? `Not changed. ${of} would change\n` : `${of} changed\n`);
  return EXIT.done;
}

/** Returns the change that a description makes, or none. */
function changeOf(project: string, before: ToldDescription, given: ProjectDescription): readonly Change[] {
  const about: DescriptionBody = Object.fromEntries(
    Object.entries({ ...before, ...given }).filter(([, value]) => value !== undefined && value.length > 0),
  );
  const fields = [...new Set([...Object.keys(before), ...Object.keys(about)])].sort() as Field[];
  const parts = fields.flatMap((field) => {
    const [old, now] = [shown(before[field]), shown(about[field])];
    return old === now ? [] : [`${field}: ${old} -> ${now}`];
  });
  return parts.length === 0 ? [] : [{ project, about, line: `${project}: ${parts.join('; ')}` }];
}

function shown(value: string | readonly string[] | undefined): string {
  if (value === undefined) return 'none';
  return typeof value === 'string' ? `'${value}'` : value.map((each) => `'${each}'`).join(', ');
}
