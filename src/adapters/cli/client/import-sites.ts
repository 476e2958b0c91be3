import type { UploadVersion } from '../../../application/index.js';
import { archiveNameOf, Refusal, TokenPolicy, type VersionId } from '../../../domain/index.js';
import { ClientError } from './client-error.js';
import { type ForeignVersion, LAYOUTS, type Layout, type SurveyOptions } from './foreign-layouts.js';
import { packSite } from './pack-site.js';

/** The outcome for one version, or for something that is no version. */
export interface ImportStep {
  /** A version's directory name, or a path relative to the imported directory. */
  readonly name: string;
  readonly done: number;
  readonly total: number;
  readonly outcome: 'taken' | 'already there' | 'note' | 'not taken';
  readonly why?: string;
}

export interface ImportTarget {
  readonly upload: Pick<UploadVersion, 'receive' | 'publish'>;
  has(id: VersionId): Promise<boolean>;
}

/** Policy of imports: may add versions, not replace any. Its name is recorded as the uploader. */
const POLICY = new TokenPolicy('lectern import');

/**
 * Imports the versions of another server's directory, each as an archive that is uploaded. Existing versions are
 * never replaced, so an interrupted import can be run again.
 * @param target store to import into; without it, or with `dryRun`, nothing is written
 * @throws ClientError when the directory cannot be read
 */
export async function* importSites(
  layout: Layout,
  root: string,
  {
    target,
    dryRun,
    ...options
  }: SurveyOptions & { readonly target?: ImportTarget | undefined; readonly dryRun: boolean },
): AsyncIterable<ImportStep> {
  const { versions, remarks } = await LAYOUTS[layout](root, options);
  const total = versions.length;
  for (const { path, why, isLoss } of remarks) {
    yield { name: path, why, done: 0, total, outcome: isLoss ? 'not taken' : 'note' };
  }
  let done = 0;
  for (const version of versions) {
    done += 1;
    const step = { name: version.id.directoryName, done, total };
    if (await target?.has(version.id)) yield { ...step, outcome: 'already there' };
    else yield { ...step, ...(await outcomeOf(version, dryRun ? undefined : target)) };
  }
}

async function outcomeOf(
  version: ForeignVersion,
  target: ImportTarget | undefined,
): Promise<Pick<ImportStep, 'outcome' | 'why'>> {
  try {
    const leftOut = await take(version, target);
    return {
      outcome: 'taken',
      ...(leftOut.length === 0 ? {} : { why: `without some: ${leftOut.join('; ')}` }),
    };
  } catch (error) {
    const isAboutThisOne = error instanceof Refusal || error instanceof ClientError || isUnreadable(error);
    if (!isAboutThisOne || (error as Refusal).code === 'insufficient_storage') throw error;
    return { outcome: 'not taken', why: (error as Error).message };
  }
}

async function take(version: ForeignVersion, target: ImportTarget | undefined): Promise<readonly string[]> {
  const { archive, leftOut } = await packSite(version.directory, version);
  try {
    if (target !== undefined) {
      const name = archiveNameOf(version.id.directoryName);
      const received = await target.upload.receive(POLICY, name, archive.read());
      await target.upload.publish(received, version.publishedAt);
    }
    return leftOut;
  } finally {
    await archive.close();
  }
}

function isUnreadable(error: unknown): boolean {
  return ['EACCES', 'EPERM', 'ENOENT', 'EIO'].includes((error as NodeJS.ErrnoException).code ?? '');
}
