import type { CAC } from 'cac';
import type { Check, CopyStep } from '../../../../application/index.js';
import { counted, visible } from '../../../../domain/index.js';
import type { ImportStep, Layout } from '../../client/index.js';
import { UsageError } from '../../command-usage.js';
import { type Option, withOptions } from '../../options/option-reader.js';
import { SERVE_OPTIONS } from '../../options/serve-option-table.js';
import { readDocs, readStorage, ServeReader, type Storage } from '../../options/serve-places.js';
import { addPruneCommand, type DueRow, type PruneRequest } from '../../retention/prune.js';
import { EXIT } from '../../start-error.js';
import { printSteps, type Terminal, terminalOf } from '../../terminal.js';
import { addCopyCommand, type CopyRequest } from './copy.js';

/** Names of the layouts, here so that the help does not load the client. */
const LAYOUTS: readonly Layout[] = ['docat', 'directory'];

export interface VerifyRequest {
  readonly storage: Storage;
  readonly repair: boolean;
}

export interface ImportRequest {
  readonly layout: Layout;
  readonly path: string;
  readonly docs: string;
  readonly dryRun: boolean;
  /** Path of the record of changes, if there is one. */
  readonly auditLog: string | undefined;
}

/** The commands that work on this machine. */
export interface LocalActions {
  /** Options of `serve` for optional features. */
  readonly serveOptions: readonly Option[];
  /** Serves until a signal stops it. @throws StartError */
  serve(flags: Readonly<Record<string, unknown>>, env: NodeJS.ProcessEnv): Promise<void>;
  /** Checks the versions of a docs directory or an object store; with `repair`, makes anew what differs. */
  verify(request: VerifyRequest): AsyncIterable<Check>;
  /** Copies the versions of one docs directory or object store to another. */
  copy(request: CopyRequest): AsyncIterable<CopyStep>;
  /** Removes what rules of retention remove from a docs directory or an object store. */
  prune(request: PruneRequest): AsyncIterable<DueRow>;
  /** Copies another server's versions into a docs directory. */
  importSites(request: ImportRequest): AsyncIterable<ImportStep>;
}

/** Adds the commands that work on this machine. */
export function addLocalCommands(
  cli: CAC,
  env: NodeJS.ProcessEnv,
  actions: LocalActions,
  exitWith: (code: number) => void,
): void {
  const serve = cli.command('serve', 'Serve a directory of documentation (the default command)').alias('!');
  withOptions(serve, [...Object.values(SERVE_OPTIONS), ...actions.serveOptions])
    .example('  $ lectern -d data/docs --tokens data/tokens.json')
    .action((flags: Record<string, unknown>) => actions.serve(flags, env));
  cli
    .command('init <directory>', 'Create a docs directory and a tokens file, and show how to use them')
    .example('  $ lectern init data')
    .action(async (directory: unknown) => {
      const { init } = await import('./init.js');
      process.stdout.write(await init(String(directory), env));
    });
  const { docs, store } = SERVE_OPTIONS;
  const places = [docs, store, SERVE_OPTIONS['store-endpoint'], SERVE_OPTIONS['store-region']];
  withOptions(cli.command('verify', 'Check every uploaded version against its archive'), places)
    .option(
      '--repair',
      'Repair versions that differ from their archives; in an object store, rebuild indexes and the snapshot',
    )
    .example('  $ lectern verify -d data/docs --repair')
    .action(async (flags: Record<string, unknown>) => {
      const request = { storage: readStorage(new ServeReader(flags, env)), repair: flags.repair === true };
      exitWith(await reportChecks(actions.verify(request), terminalOf(env)));
    });
  addCopyCommand(cli, env, actions.copy, exitWith);
  addPruneCommand(cli, env, actions.prune, exitWith);
  const importing = cli.command(
    'import <layout> <path>',
    `Import the versions of another server: ${LAYOUTS.join(', ')}`,
  );
  withOptions(importing, [docs, SERVE_OPTIONS['audit-log']])
    .option('--dry-run', 'Show what would be imported, without importing anything')
    .example('  $ lectern import docat /var/docat -d data/docs --dry-run')
    .action(async (given: string, path: string, flags: Record<string, unknown>) => {
      const layout = LAYOUTS.find((each) => each === given);
      if (layout === undefined)
        throw new UsageError(`unknown layout '${given}'; expected one of ${LAYOUTS.join(', ')}`);
      const dryRun = flags.dryRun === true;
      const read = new ServeReader(flags, env);
      const request = { layout, path, dryRun, docs: readDocs(read), auditLog: read.text('audit-log') };
      exitWith(await reportImport(actions.importSites(request), request, terminalOf(env)));
    });
}

/**
 * Prints everything that differs, with a progress bar on a terminal.
 * @returns 0 when none differs or all were repaired, else 1
 */
export async function reportChecks(checks: AsyncIterable<Check>, terminal: Terminal): Promise<number> {
  const counts = { total: 0, differed: 0, repaired: 0 };
  await printSteps(checks, terminal, 'checked', ({ name, total, faults, isRepaired }) => {
    counts.total = total;
    if (faults.length === 0) return [];
    counts.differed += 1;
    if (isRepaired) counts.repaired += 1;
    const outcome = isRepaired ? 'repaired' : 'differs';
    return [`${visible(name)}: ${outcome}\n`, ...faults.map((fault) => `  ${visible(fault)}\n`)];
  });
  terminal.out.write(
    `${counted(counts.total, 'version')} checked, ${counts.differed} differed, ${counts.repaired} repaired\n`,
  );
  return counts.differed === counts.repaired ? EXIT.done : EXIT.refused;
}

/**
 * Prints the outcome for every version and alias, with a progress bar on a terminal.
 * @returns 0, or 1 when something could not be imported, or there was nothing to import
 */
async function reportImport(
  steps: AsyncIterable<ImportStep>,
  { layout, dryRun }: Pick<ImportRequest, 'layout' | 'dryRun'>,
  terminal: Terminal,
): Promise<number> {
  const counts = { imported: 0, 'already exists': 0, note: 0, 'not imported': 0 };
  await printSteps(steps, terminal, 'imported', ({ name, outcome, why }) => {
    counts[outcome] += 1;
    const word = outcome === 'imported' && dryRun ? 'would be imported' : outcome;
    return [`${visible(name)}: ${word}${why === undefined ? '' : `: ${visible(why)}`}\n`];
  });
  const there = counts['already exists'] === 0 ? '' : `, ${counts['already exists']} already exist`;
  const verb = dryRun ? 'would be imported' : 'imported';
  const isEmpty = counts.imported + counts['already exists'] + counts['not imported'] === 0;
  const why = isEmpty ? `: no version in the layout ${layout} was found` : '';
  terminal.out.write(`${counts.imported} ${verb}${there}, ${counts['not imported']} not imported${why}\n`);
  return isEmpty || counts['not imported'] > 0 ? EXIT.refused : EXIT.done;
}
