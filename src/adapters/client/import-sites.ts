import type { UploadVersion } from '../../application/index.js';
import { archiveNameOf, Refusal, TokenPolicy, type VersionId } from '../../domain/index.js';
import { ClientError } from './client-error.js';
import { type ForeignVersion, LAYOUTS, type Layout, type SurveyOptions } from './foreign-layouts.js';
import { packSite } from './pack-site.js';

/** What became of one version, or of something that is no version. */
export interface ImportStep {
  /** A version's directory name, or a path below the directory that is imported. */
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

/** Shows up in version records as the one who uploaded them; it may add versions and replace none. */
const POLICY = new TokenPolicy('lectern import');

/**
 * Copies the versions of another server's directory in, each as an archive that goes the way of an upload.
 * Nothing that is there is replaced, so an import that was cut short is run again.
 * @param target without one, only tells what would be done
 * @throws ClientError when the directory cannot be read
 */
export async function* importSites(
  layout: Layout,
  root: string,
  {
    target,
    dryRun,
    ...options
  }: SurveyOptions & { readonly target?: ImportTarget; readonly dryRun: boolean },
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
  const { additions, without } = version;
  const { archive, leftOut } = await packSite(version.directory, {
    ...(additions === undefined ? {} : { additions }),
    ...(without === undefined ? {} : { without }),
  });
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
