import type { CAC } from 'cac';
import { counted, sizeOf, visible } from '../../../domain/index.js';
import { OptionReader, optionTable, withOptions } from '../options/option-reader.js';
import { SERVE_OPTIONS } from '../options/serve-option-table.js';
import type { FeatureOptions } from '../options/serve-options.js';
import { readKeepRemoved, readStorage, ServeReader, type Storage } from '../options/serve-places.js';
import { EXIT } from '../start-error.js';
import { type Terminal, terminalOf } from '../terminal.js';

export interface PruneRequest {
  readonly storage: Storage;
  /** File with rules for projects without rules of their own. */
  readonly retention: string | undefined;
  /** Milliseconds for which what is removed can be restored. */
  readonly keepRemovedMs: number;
  /** Whether `keepRemovedMs` was given: only then are versions deleted that were kept longer. */
  readonly clears: boolean;
  /** Whether nothing is removed. */
  readonly dryRun: boolean;
  /** Path of the record of changes, if there is one. */
  readonly auditLog: string | undefined;
}

/** A version that a rule of retention removes, or has removed; or an expired preview. */
export interface DueRow {
  /** Label of the version, or its directory name. */
  readonly name: string;
  readonly rule: string;
  readonly isPreview?: boolean;
  /** The rule in words. */
  readonly reason: string;
  /** Size of the archive; undefined for a copied-in directory. */
  readonly archiveBytes: number | undefined;
}

/** The option of `lectern serve` by which it removes versions by rules. */
export const retentionOptions = {
  table: optionTable({
    retention: [
      '<file>',
      'JSON file with retention rules, for projects without their own; without it, all versions are kept',
    ],
  }),
  read: (read) => ({ retention: read.text('retention') }),
} satisfies FeatureOptions<'retention'>;

const OPTIONS = [
  ...(
    ['docs', 'store', 'store-endpoint', 'store-region', 'single-writer', 'keep-removed', 'audit-log'] as const
  ).map((name) => SERVE_OPTIONS[name]),
  retentionOptions.table.retention,
];

/** Adds `lectern prune` to the command line. */
export function addPruneCommand(
  cli: CAC,
  env: NodeJS.ProcessEnv,
  prune: (request: PruneRequest) => AsyncIterable<DueRow>,
  exitWith: (code: number) => void,
): void {
  const command = cli.command(
    'prune',
    'Remove expired previews, and versions by retention rules, now instead of in the background',
  );
  withOptions(command, OPTIONS)
    .option('--dry-run', 'Print what would be removed, without removing anything')
    .example('  $ lectern prune -d data/docs --retention data/retention.json --dry-run')
    .action(async (flags: Record<string, unknown>) => {
      const read = new ServeReader(flags, env);
      const request = {
        storage: readStorage(read),
        retention: new OptionReader(retentionOptions.table, flags, env).text('retention'),
        keepRemovedMs: readKeepRemoved(read),
        clears: read.given('keep-removed') !== undefined,
        dryRun: flags.dryRun === true,
        auditLog: read.text('audit-log'),
      };
      exitWith(await reportPrune(prune(request), request, terminalOf(env)));
    });
}

/** Returns a line for one version: `1.0.1: 12 MiB, keep_per_minor: the newest 3 versions of each minor are kept`. */
export function dueLine({ name, archiveBytes, rule, reason }: DueRow): string {
  const size = archiveBytes === undefined ? 'a directory' : sizeOf(archiveBytes);
  return `${visible(`${name}: ${size}, ${rule}: ${reason}`)}\n`;
}

/** Returns the number of versions and previews and the size of their archives: `3 versions, 12 MiB`. */
export function sumOf(rows: readonly Pick<DueRow, 'archiveBytes' | 'isPreview'>[]): string {
  const sum = rows.reduce((total, { archiveBytes = 0 }) => total + archiveBytes, 0);
  const previews = rows.filter(({ isPreview }) => isPreview === true).length;
  const versions = rows.length - previews;
  const counts = [
    ...(versions > 0 || previews === 0 ? [counted(versions, 'version')] : []),
    ...(previews > 0 ? [counted(previews, 'preview')] : []),
  ];
  return `${counts.join(' and ')}, ${sizeOf(sum)}`;
}

/** Prints a line for each version and preview, and a sentence at the end. @returns 0 */
async function reportPrune(
  rows: AsyncIterable<DueRow>,
  { dryRun }: Pick<PruneRequest, 'dryRun'>,
  terminal: Pick<Terminal, 'out'>,
): Promise<number> {
  const all: DueRow[] = [];
  for await (const row of rows) {
    all.push(row);
    terminal.out.write(dueLine(row));
  }
  const verb = dryRun ? 'would be removed' : 'removed';
  terminal.out.write(
    all.length === 0
      ? `Nothing ${dryRun ? 'would be' : 'was'} removed: no retention rule applies\n`
      : `${sumOf(all)} ${verb}\n`,
  );
  return EXIT.done;
}
