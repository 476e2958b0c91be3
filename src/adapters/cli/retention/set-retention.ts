import {
  describeRule,
  NUMBER_RULES,
  type RetentionBody,
  type RetentionRule,
  type RetentionRules,
  readRetention,
  visible,
} from '../../../domain/index.js';
import { type Call, projectNamed, suggesting } from '../commands/client-call.js';
import { EXIT, StartError } from '../start-error.js';
import { dueLine, sumOf } from './prune.js';

const NUMBERS = Object.keys(NUMBER_RULES) as RetentionRule[];

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
  if (dryRun) terminal.notes.write(`Not changed. These rules would remove ${goes} now\n`);
  else terminal.notes.write(`${visible(message)}. Removed now: ${goes}\n`);
  return EXIT.done;
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
  if (rules.copiedIn === true) terminal.out.write('copied_in: copied-in directories are removed too\n');
  // A newer server may have further rules.
  for (const field of faults) terminal.out.write(`${visible(field)}\n`);
  const isOwn = settings?.retention !== undefined;
  const isAllKept = Object.keys(retention).length === 0;
  let note = isOwn ? 'The project has its own rules' : 'The server rules apply';
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
