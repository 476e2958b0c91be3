import { optionTable } from '../options/option-reader.js';
import type { FeatureOptions } from '../options/serve-options.js';
import type { Locations, Place, Storage } from '../options/serve-places.js';
import { StartError } from '../start-error.js';

/** A directory for counts of reads, or the docs directory whose own one it is. */
export type UsagePlace = { readonly directory: string } | Place<Locations, 'file'>;

/** The options of `lectern serve` by which it counts reads. */
export const usageOptions = {
  table: optionTable({
    usage: [
      '',
      'Count, for each project and day, which pages are read and which are missed, without addresses of readers; everybody can see the counts',
    ],
    'usage-dir': [
      '<directory>',
      'Directory for the counts of --usage; else one in the docs directory. Needed with --store',
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
  throw new StartError(
    '--usage needs --usage-dir with --store: a directory of this machine for the counts of reads',
  );
}
