import {
  type DescriptionBody,
  describeRule,
  NUMBER_RULES,
  type RetentionBody,
  type RetentionRule,
  type RetentionRules,
  readRetention,
  visible,
} from '../../../domain/index.js';
import type { SettingName } from '../client/index.js';
import { EXIT } from '../exit-codes.js';
import { listFlag } from '../options/option-reader.js';
import { StartError } from '../start-error.js';
import type { Call } from './client-call.js';
import { dueLine, sumOf } from './local/prune.js';
import { projectNamed, suggesting } from './suggestions.js';

const TEXTS = ['title', 'description', 'group', 'owner', 'repository', 'contact'] as const;

const NUMBERS = Object.keys(NUMBER_RULES) as RetentionRule[];

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
  assertEither(message, call, 'give a sentence for readers, or --undo');
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
 * `--undo`. An empty flag takes its field back.
 */
export async function describe(project: string, call: Call): Promise<number> {
  const { client, flags, terminal } = call;
  const given = givenIn(flags);
  const isUndo = flags.undo === true;
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

/** Shows the rules by which versions of a project are removed, sets them, or takes them back with `--undo`. */
export async function retention(project: string, call: Call): Promise<number> {
  const { client, flags, terminal } = call;
  const rules = rulesOf(flags);
  const isUndo = flags.undo === true;
  if (isUndo && rules !== undefined) throw new StartError('give rules or --undo, not both');
  if (!isUndo && rules === undefined) return showRetention(project, call);
  client.assertToken();
  const dryRun = flags.dryRun === true;
  const { message, removes = [] } = await suggesting(client, project, '', () =>
    client.setRetention(project, isUndo ? undefined : rules, { dryRun }),
  );
  const rows = removes.map(({ version, rule, reason, archive_bytes }) => ({
    name: version,
    rule,
    reason,
    archiveBytes: archive_bytes,
  }));
  for (const row of rows) terminal.out.write(dueLine(row));
  const goes = rows.length === 0 ? 'nothing' : sumOf(rows);
  if (dryRun) terminal.notes.write(`Not changed. By these rules, ${goes} would be removed now\n`);
  else terminal.notes.write(`${visible(message)}. Removed now: ${goes}\n`);
  return EXIT.done;
}

/** @throws StartError for a value and `--undo`, and for neither */
function assertEither(value: string | undefined, { flags }: Call, sentence: string): void {
  if ((flags.undo === true) === (value !== undefined)) throw new StartError(sentence);
}

/** @param version what the project may lack: then what there is is suggested */
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
  if (Object.keys(about).length === 0) terminal.notes.write(`${visible(name)} shows what its docinfo says\n`);
  return EXIT.done;
}

/** Returns the fields that flags name; an empty text or list takes a field back. */
function givenIn(flags: Call['flags']): DescriptionBody {
  const texts = TEXTS.flatMap((field) => {
    const value = flags[field];
    return value === undefined ? [] : [[field, String(value).trim()]];
  });
  const tags = listFlag(flags, 'tag');
  return { ...Object.fromEntries(texts), ...(tags === undefined ? {} : { tags }) };
}

async function showRetention(name: string, call: Call): Promise<number> {
  const { client, flags, terminal } = call;
  if (flags.dryRun === true) throw new StartError('--dry-run needs rules, or --undo');
  const { retention = {}, settings } = await projectNamed(client, name);
  const faults: string[] = [];
  const rules = readRetention(Object.entries(retention), (field) => faults.push(field));
  for (const rule of NUMBERS.filter((each) => rules[NUMBER_RULES[each].field] !== undefined)) {
    terminal.out.write(`${rule} ${rules[NUMBER_RULES[rule].field]}: ${describeRule(rule, rules)}\n`);
  }
  if (rules.copiedIn === true) terminal.out.write('copied_in: copied-in directories are removed as well\n');
  // A newer server may have further rules.
  for (const field of faults) terminal.out.write(`${visible(field)}\n`);
  const isOwn = settings?.retention !== undefined;
  const isAllKept = Object.keys(retention).length === 0;
  let note = isOwn ? 'The project has its own rules' : 'The rules of the server apply';
  if (isAllKept) note = isOwn ? `${note}: all versions are kept` : 'All versions are kept';
  terminal.notes.write(`${note}\n`);
  return EXIT.done;
}

/** Returns the rules that the flags set; undefined when they set none. @throws StartError */
function rulesOf(flags: Call['flags']): RetentionRules | undefined {
  const body: RetentionBody = {};
  for (const rule of NUMBERS) {
    const option = rule.replaceAll('_', '-');
    const value = flags[rule.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())];
    if (value === undefined) continue;
    body[rule] = /^\d+$/.test(String(value)) ? Number(value) : Number.NaN;
    readRetention([[rule, body[rule]]], (_, why) => {
      throw new StartError(`--${option}: ${why}, not '${String(value)}'`);
    });
  }
  if (flags.copiedIn === true) body.copied_in = true;
  const rules = readRetention(Object.entries(body), () => {});
  const isEmpty = Object.keys(body).length === 0;
  if (flags.keepAll !== true) return isEmpty ? undefined : rules;
  if (!isEmpty) throw new StartError('give rules or --keep-all, not both');
  return {};
}
