import type { CAC } from 'cac';
import type { CopyStep } from '../../../../application/index.js';
import { visible } from '../../../../domain/index.js';
import { OptionReader, optionTable, withOptions } from '../../options/option-reader.js';
import { SERVE_OPTIONS, STORE_OPTIONS } from '../../options/serve-option-table.js';
import { type Locations, type Place, readEndpoint } from '../../options/serve-places.js';
import { EXIT, StartError } from '../../start-error.js';
import { printSteps, type Terminal, terminalOf } from '../../terminal.js';

export interface CopyRequest {
  readonly from: Place<Locations>;
  readonly to: Place<Locations>;
  /** Path of the record of changes, if there is one. */
  readonly auditLog: string | undefined;
}

/** The options of `copy`, by name. */
const COPY_OPTIONS = {
  ...optionTable({
    from: ['<place>', 'Docs directory, or object store such as s3://bucket/prefix, to copy from'],
    to: ['<place>', 'Docs directory or object store to copy to'],
  }),
  'store-endpoint': STORE_OPTIONS['store-endpoint'],
  'store-region': STORE_OPTIONS['store-region'],
  ...optionTable({
    'from-endpoint': ['<url>', 'Like --store-endpoint, for --from only'],
    'from-region': ['<name>', 'Like --store-region, for --from only'],
    'to-endpoint': ['<url>', 'Like --store-endpoint, for --to only'],
    'to-region': ['<name>', 'Like --store-region, for --to only'],
    'single-writer': [
      '',
      'Copy to an object store without conditional writes, while nothing else writes to it',
    ],
  }),
  'audit-log': SERVE_OPTIONS['audit-log'],
};

type CopyOption = keyof typeof COPY_OPTIONS;

/** Adds `lectern copy` to the command line. */
export function addCopyCommand(
  cli: CAC,
  env: NodeJS.ProcessEnv,
  copy: (request: CopyRequest) => AsyncIterable<CopyStep>,
  exitWith: (code: number) => void,
): void {
  const command = cli.command('copy', 'Copy all versions between docs directories and object stores');
  withOptions(command, Object.values(COPY_OPTIONS))
    .example('  $ lectern copy --from data/docs --to s3://bucket/docs')
    .action(async (flags: Record<string, unknown>) => {
      exitWith(await reportCopy(copy(readCopyRequest(flags, env)), terminalOf(env)));
    });
}

/** @throws StartError with the option and the expected value */
export function readCopyRequest(
  flags: Readonly<Record<string, unknown>>,
  env: NodeJS.ProcessEnv,
): CopyRequest {
  const read = new OptionReader(COPY_OPTIONS, flags, env);
  const [from, to] = [readPlace(read, 'from'), readPlace(read, 'to')];
  if (from.scheme === 'file' && to.scheme === 'file') {
    refuse(read, ['store-endpoint', 'store-region'], '--from or --to');
  }
  if (to.scheme === 'file') refuse(read, ['single-writer'], '--to');
  return { from, to, auditLog: read.text('audit-log') };
}

function readPlace(read: OptionReader<CopyOption>, side: 'from' | 'to'): Place<Locations> {
  // Not from the environment: a copy is typed, and a server's variables are for serving.
  const text = read.given(side) === 'flag' ? read.required(side) : undefined;
  if (text === undefined) {
    throw new StartError(
      `--${side} is required: a docs directory, or an object store such as s3://bucket/prefix`,
    );
  }
  const [endpoint, region] = [`${side}-endpoint`, `${side}-region`] as const;
  if (/^s3:/i.test(text)) {
    return {
      scheme: 's3',
      at: {
        address: text,
        endpoint: readEndpoint(read, endpoint) ?? readEndpoint(read, 'store-endpoint'),
        region: read.text(region) ?? read.text('store-region'),
        isOnlyWriter: side === 'to' && read.flag('single-writer'),
      },
    };
  }
  refuse(read, [endpoint, region], `--${side}`);
  return { scheme: 'file', at: text };
}

/** @throws StartError when one of the options is given, although `where` there is no object store */
function refuse(read: OptionReader<CopyOption>, names: readonly CopyOption[], where: string): void {
  const name = names.find((each) => read.given(each) === 'flag');
  if (name !== undefined) throw new StartError(`--${name} works only with an object store in ${where}`);
}

/**
 * Prints the outcome for every version but those that are there already, with a progress bar on a terminal.
 * @returns 0, or 1 when some versions could not be copied
 */
async function reportCopy(steps: AsyncIterable<CopyStep>, terminal: Terminal): Promise<number> {
  const counts = { copied: 0, 'already exists': 0, 'not copied': 0 };
  await printSteps(steps, terminal, 'copied', ({ name, outcome, why }) => {
    counts[outcome] += 1;
    if (outcome === 'already exists') return [];
    return [`${visible(name)}: ${outcome}${why === undefined ? '' : `: ${visible(why)}`}\n`];
  });
  terminal.out.write(
    `${counts.copied} copied, ${counts['already exists']} already exist, ${counts['not copied']} not copied\n`,
  );
  return counts['not copied'] === 0 ? EXIT.done : EXIT.refused;
}
