import type { Dirent, Stats } from 'node:fs';
import { readdir, readlink, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import {
  compareLabels,
  isCopiedInName,
  LATEST,
  latestOf,
  parseDirectoryName,
  type VersionId,
  versionIdOf,
  whyNoVersionId,
} from '../../../domain/index.js';
import { localError } from './client-error.js';

/** A directory of another server that is one version. */
export interface ForeignVersion {
  readonly id: VersionId;
  readonly directory: string;
  readonly publishedAt: Date;
  /** Paths of the other server's own files, to leave out. */
  readonly without?: readonly string[] | undefined;
  /** Whether the other server keeps it out of its lists. */
  readonly isHidden?: boolean | undefined;
}

/** Another name of a version. */
export interface ForeignAlias {
  readonly path: string;
  readonly project: string;
  /** `latest` pins the latest version. */
  readonly alias: string;
  /** Label of the version. */
  readonly target: string;
}

/** Something that is not imported. */
interface Remark {
  readonly path: string;
  readonly why: string;
  /** Whether documentation is lost, other than by choice. */
  readonly isLoss: boolean;
}

export const LAYOUTS = { docat, directory } as const;
export type Layout = keyof typeof LAYOUTS;

/** Reads docat's layout: `doc/<project>/<version>/`. Tags are symbolic links; hidden versions have a `.hidden`. */
async function docat(root: string): Promise<Survey> {
  const survey = new Survey();
  const below = join(root, 'doc');
  const docs = (await statsOf(below))?.isDirectory() ? below : root;
  for (const project of await entriesOf(docs)) {
    if (!project.isDirectory()) continue;
    const targets = new Map<string, string>();
    for (const entry of await entriesOf(join(docs, project.name))) {
      const path = join(project.name, entry.name);
      const directory = join(docs, path);
      if (entry.isSymbolicLink()) {
        targets.set(entry.name, basename(await readlink(directory)));
      } else if (!entry.isDirectory()) {
        if (entry.name === 'logo')
          survey.note(path, "is the project's logo; set it in the docinfo of a site instead");
      } else {
        const isHidden = (await statsOf(join(directory, '.hidden')))?.isFile();
        await survey.take(project.name, entry.name, directory, path, { without: ['.hidden'], isHidden });
      }
    }
    for (const tag of targets.keys()) takeTag(survey, project.name, tag, targets);
  }
  return survey;
}

/** Takes a tag of docat as an alias. A `latest` for the version that Lectern takes for the latest, too, needs none. */
function takeTag(survey: Survey, project: string, tag: string, targets: ReadonlyMap<string, string>): void {
  const path = join(project, tag);
  // A tag may lead to a tag. More steps than tags are a loop.
  let target: string | undefined = targets.get(tag);
  for (const _ of targets) target = (target !== undefined ? targets.get(target) : undefined) ?? target;
  const listed = survey.versions.filter(({ id, isHidden }) => id.project === project && isHidden !== true);
  const versions = listed.map(({ id, publishedAt }) => ({ label: id.label, record: { publishedAt } }));
  const latest = latestOf(versions.sort((a, b) => compareLabels(a.label, b.label)));
  if (tag === LATEST && target === latest?.label) {
    survey.note(path, `is a tag for ${target}, which Lectern's 'latest' already is`);
  } else if (target !== undefined) survey.aliases.push({ path, project, alias: tag, target });
}

/** Reads a tree of `<project>/<version>/`, `<project>-<version>/`, or both. */
async function directory(root: string): Promise<Survey> {
  const survey = new Survey();
  for (const entry of await entriesOf(root)) {
    const path = join(root, entry.name);
    if (entry.isSymbolicLink()) survey.note(entry.name, 'is a symbolic link; only directories are imported');
    if (!entry.isDirectory()) continue;
    const split = isCopiedInName(entry.name) ? parseDirectoryName(entry.name) : undefined;
    if (split !== undefined && (await looksLikeSite(path))) {
      await survey.take(split.project, split.label, path, entry.name);
      continue;
    }
    const below = await entriesOf(path);
    if (!below.some((each) => each.isDirectory()) && below.some(({ name }) => name === 'index.html'))
      survey.note(entry.name, `names no version; move its files to ${entry.name}/<version>`, true);
    for (const each of below) {
      const name = join(entry.name, each.name);
      if (each.isSymbolicLink()) survey.note(name, 'is a symbolic link; only directories are imported');
      else if (each.isDirectory()) await survey.take(entry.name, each.name, join(path, each.name), name);
    }
  }
  return survey;
}

/** Everything that is found in another server's directory. */
class Survey {
  readonly versions: ForeignVersion[] = [];
  readonly aliases: ForeignAlias[] = [];
  readonly remarks: Remark[] = [];

  note(path: string, why: string, isLoss = false): void {
    this.remarks.push({ path, why, isLoss });
  }

  async take(
    project: string,
    label: string,
    directory: string,
    path: string,
    more: Pick<ForeignVersion, 'without' | 'isHidden'> = {},
  ): Promise<void> {
    const id = versionIdOf(project, label);
    if (id === undefined) this.note(path, whyNoVersionId(project, label), true);
    else this.versions.push({ id, directory, publishedAt: (await stat(directory)).mtime, ...more });
  }
}

/** Tells version `lib-2/` from a project of that name: a site has files at its root. */
async function looksLikeSite(directory: string): Promise<boolean> {
  return (await entriesOf(directory)).some((entry) => entry.isFile());
}

async function entriesOf(directory: string): Promise<Dirent[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch((error: unknown) => {
    throw localError(directory, error);
  });
  const named = entries.filter(({ name }) => !name.startsWith('.'));
  return named.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function statsOf(path: string): Promise<Stats | undefined> {
  return stat(path).catch(() => undefined);
}
