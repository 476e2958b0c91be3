import { type DescriptionBody, visible } from '../../../domain/index.js';
import type { SettingName } from '../client/index.js';
import { listFlag, textFlag } from '../options/option-reader.js';
import { EXIT, StartError } from '../start-error.js';
import { type Call, projectNamed, suggesting } from './client-call.js';
import { describeAll } from './describe/describe-all.js';
import { TEXT_FIELDS } from './describe/read-descriptions.js';

/** Hides a version, or shows it again with `--undo`. */
export async function hide(project: string, version: string, call: Call): Promise<number> {
  return change(call, 'hidden', [project, version]);
}

/** Deprecates a version with a sentence, or takes that back with `--undo`. */
export async function deprecate(
  project: string,
  version: string,
  message: string | undefined,
  call: Call,
): Promise<number> {
  assertEither(message, call, 'give a message for readers, or --undo');
  return change(call, 'deprecated', [project, version], { message });
}

/** Sets an alias, or removes it with `--undo`. */
export async function alias(
  project: string,
  name: string,
  target: string | undefined,
  call: Call,
): Promise<number> {
  assertEither(target, call, 'give a version, or a series such as 2.x, or --undo');
  return change(call, 'aliases', [project, name], { target }, target);
}

/**
 * Shows what is said of a project in place of its docinfo, changes the fields that flags name, or takes all back with
 * `--undo`. An empty flag takes its field back. With `--from` a file has the fields, of any number of projects.
 */
export async function describe(project: string | undefined, call: Call): Promise<number> {
  const { client, flags, terminal } = call;
  const given = givenIn(flags);
  const isUndo = flags.undo === true;
  const from = textFlag(flags, 'from');
  if (from !== undefined) {
    const isAlone = project === undefined && !isUndo && Object.keys(given).length === 0;
    if (!isAlone) throw new StartError('--from: the file names projects and fields; give no others');
    return describeAll(from, call);
  }
  if (flags.dryRun === true) throw new StartError('--dry-run needs --from');
  if (project === undefined) throw new StartError('give a project or --from');
  if (isUndo && Object.keys(given).length > 0) throw new StartError('give fields or --undo, not both');
  if (!isUndo && Object.keys(given).length === 0) return showDescription(project, call);
  client.assertToken();
  const { settings } = isUndo ? {} : await projectNamed(client, project);
  const fields = Object.entries({ ...settings?.about, ...given }).filter(
    ([, value]) => value !== undefined && value.length > 0,
  );
  const about: DescriptionBody = isUndo ? {} : Object.fromEntries(fields);
  const message = await suggesting(client, project, '', () => client.describe(project, about));
  terminal.notes.write(`${visible(message)}\n`);
  return EXIT.done;
}

/** @throws StartError for a value and `--undo`, and for neither */
function assertEither(value: string | undefined, { flags }: Call, sentence: string): void {
  if ((flags.undo === true) === (value !== undefined)) throw new StartError(sentence);
}

/** @param version may be missing in the project: then existing ones are suggested */
async function change(
  { client, flags, terminal }: Call,
  setting: SettingName,
  [project, name]: readonly [project: string, name: string],
  json?: object,
  version = name,
): Promise<number> {
  client.assertToken();
  const message = await suggesting(client, project, version, () =>
    flags.undo === true ? client.unset(setting, project, name) : client.set(setting, project, name, json),
  );
  terminal.notes.write(`${visible(message)}\n`);
  return EXIT.done;
}

async function showDescription(name: string, { client, terminal }: Call): Promise<number> {
  const about = (await projectNamed(client, name)).settings?.about ?? {};
  for (const [field, value] of Object.entries(about).sort()) {
    terminal.out.write(`${visible(`${field}: ${Array.isArray(value) ? value.join(', ') : value}`)}\n`);
  }
  if (Object.keys(about).length === 0)
    terminal.notes.write(`${visible(name)} has no overrides; its docinfo applies\n`);
  return EXIT.done;
}

/** Returns the fields that flags name; an empty text or list takes a field back. */
function givenIn(flags: Call['flags']): DescriptionBody {
  const texts = TEXT_FIELDS.flatMap((field) => {
    const value = flags[field];
    return value === undefined ? [] : [[field, String(value).trim()]];
  });
  const tags = listFlag(flags, 'tag');
  return { ...Object.fromEntries(texts), ...(tags === undefined ? {} : { tags }) };
}
