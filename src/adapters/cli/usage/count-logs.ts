import { visible } from '../../../domain/index.js';
import { OptionReader, optionTable } from '../options/option-reader.js';
import { readPublicPlace } from '../options/public-place.js';
import type { FeatureOptions } from '../options/serve-options.js';
import { type Locations, type Place, readDocs, ServeReader, type Storage } from '../options/serve-places.js';
import { EXIT, StartError } from '../start-error.js';
import type { Terminal } from '../terminal.js';

export interface CountLogsRequest {
  readonly docs: string;
  readonly usage: UsagePlace;
  /** Path prefix that the logs have; empty without one. */
  readonly basePath: string;
  /** Files, or `-` for stdin. */
  readonly logs: readonly string[];
}

/** Counts of one log. */
export interface CountedLog {
  readonly name: string;
  readonly reads: number;
  readonly misses: number;
  /** Requests that do not count. */
  readonly others: number;
  /** Lines in no known format. */
  readonly unreadable: number;
}

/** @throws StartError with the option and the expected value */
export function readCountLogsRequest(
  flags: Readonly<Record<string, unknown>>,
  env: NodeJS.ProcessEnv,
): CountLogsRequest {
  const read = new ServeReader(flags, env);
  const docs = readDocs(read);
  const directory = new OptionReader(usageOptions.table, flags, env).text('usage-dir');
  return {
    docs,
    usage: directory === undefined ? { scheme: 'file', at: docs } : { directory },
    basePath: readPublicPlace(read.text('base-path'), undefined).basePath,
    logs: [flags.accessLog].flat().map(String),
  };
}

/**
 * Prints a line for each log.
 * @returns 1 when a log has lines, and none of them can be read; else 0
 */
export async function reportLogs(logs: AsyncIterable<CountedLog>, terminal: Terminal): Promise<number> {
  let code: number = EXIT.done;
  for await (const { name, reads, misses, others, unreadable } of logs) {
    const counts = `reads: ${reads}, requests for missing pages and files: ${misses}, not counted: ${others}`;
    const bad =
      unreadable === 0 ? '' : `, lines that are not in the combined or common format: ${unreadable}`;
    terminal.out.write(`${visible(name)}: ${counts}${bad}\n`);
    if (unreadable > 0 && reads + misses + others === 0) code = EXIT.refused;
  }
  return code;
}

/** A directory for counts of reads, or the docs directory that has it inside. */
export type UsagePlace = { readonly directory: string } | Place<Locations, 'file'>;

/** The options of `lectern serve` by which it counts reads. */
export const usageOptions = {
  table: optionTable({
    usage: [
      '',
      'Count reads, missing pages and searches without results for each project and day, without client addresses; counts of pages are public',
    ],
    'usage-dir': [
      '<directory>',
      'Directory for the counts of --usage; default: in the docs directory. Required with --store',
    ],
  }),
  read: (read, { storage }) => ({
    usage: read.flag('usage') ? readUsagePlace(read.text('usage-dir'), storage) : undefined,
  }),
} satisfies FeatureOptions<'usage' | 'usage-dir'>;

/** Reads where counts of reads are kept. @throws StartError for an object store without `--usage-dir` */
function readUsagePlace(directory: string | undefined, storage: Storage): UsagePlace {
  if (directory !== undefined) return { directory };
  if (storage.scheme === 'file') return storage;
  throw new StartError('--usage needs --usage-dir with --store: a local directory for the counts');
}
