import type { VisibleCatalogue } from '../catalogue/contents.js';
import { LATEST } from '../settings/project-settings.js';
import { parseDirectoryName } from './archive-name.js';
import { isPlainName, isPreview } from './version-id.js';

/** Characters without vowels, 0, 1 and 3: no word ends like a hash, nor does a date. */
const HASH_CHARACTERS = 'bcdfghjklmnpqrstvwxz2456789';
const HASH_LENGTH = 12;

/** Hashes a text to the form of `shortHash`; by a cryptographic hash, so that nobody can make two names the same. */
export type ShortHash = (text: string) => string;

/** Returns the first twelve bytes of a digest as characters for a host name: some 57 bits. */
export function shortHash(digest: Uint8Array): string {
  return Array.from(
    digest.subarray(0, HASH_LENGTH),
    (byte) => HASH_CHARACTERS[byte % HASH_CHARACTERS.length],
  ).join('');
}

/** Max. characters of one label of a host name (RFC 1035 section 2.3.4). */
const MAX_LABEL = 63;

/** Max. characters of the project in the host of a version. */
const MAX_PROJECT_BESIDE = 30;

/** The mark of a preview, and of a version. No part of a label has two dashes in a row. */
const [PREVIEW_MARK, VERSION_MARK] = ['--preview--', '--'];

/** Text that a label can hold unchanged. `xn--` begins an internationalized label (RFC 5890 section 2.3.2.1). */
const PLAIN = /^(?!xn$)[a-z0-9]+(?:-[a-z0-9]+)*$/;

const HASHED = new RegExp(`-[${HASH_CHARACTERS}]{${HASH_LENGTH}}$`);

/** Versions whose dots become dashes. Versions with dashes of their own always get a hash. */
const DOTTED = /^v?\d[a-z0-9]*(?:\.[a-z0-9]+)*$/;

const NUMBERED = /^v?\d/;

/**
 * Returns the first label of the host of a version, preview or alias (contract section 7), in lower case; undefined for
 * a name of none. It depends on the name alone, and no two names have the same.
 * @param directoryName `<project>-<version>`, `<project>~<preview>`, `<project>-<alias>` or `<project>-latest`
 */
export function hostLabelOf(directoryName: string, hash: ShortHash): string | undefined {
  const id = parseDirectoryName(directoryName);
  if (id === undefined) {
    const [, project = ''] = /^(.*)-latest$/.exec(directoryName) ?? [];
    return isPlainName(project) ? labelOfProject(project, hash) : undefined;
  }
  const tail = (isPreview(id) ? PREVIEW_MARK : VERSION_MARK) + projectPart(id.project, hash);
  return partOf(id.label, versionText(id.label), MAX_LABEL - tail.length, hash) + tail;
}

/** Returns the first label of the host of a project, which shows its latest version. */
function labelOfProject(project: string, hash: ShortHash): string {
  return partOf(project, project, MAX_LABEL, hash);
}

/** Returns the part of a version's host label that names the project. */
function projectPart(project: string, hash: ShortHash): string {
  return partOf(project, project, MAX_PROJECT_BESIDE, hash);
}

/** Returns the project's part of a version's or preview's label; undefined when the label has none. */
function projectPartIn(label: string): string | undefined {
  const at = label.lastIndexOf(VERSION_MARK);
  return at === -1 ? undefined : label.slice(at + VERSION_MARK.length);
}

/** The hosts of everything in one catalogue: the reverse of `hostLabelOf`. */
export class HostTable {
  /** Projects by their host's label. */
  private readonly projects = new Map<string, string>();
  /** Projects by their part of a version's label. */
  private readonly parts = new Map<string, string>();
  /** Directory names by label, for the projects that were asked for. */
  private readonly sites = new Map<string, ReadonlyMap<string, string>>();

  constructor(
    private readonly catalogue: VisibleCatalogue,
    private readonly hash: ShortHash,
  ) {
    for (const { directoryName } of catalogue.projects) {
      this.projects.set(labelOfProject(directoryName, hash), directoryName);
      this.parts.set(projectPart(directoryName, hash), directoryName);
    }
    // A project may have previews only.
    for (const { project } of catalogue.previews.all()) this.parts.set(projectPart(project, hash), project);
  }

  /**
   * Returns the name of the version, preview or alias that a host shows; of a project, `<project>-latest`.
   * @param label in lower case
   */
  directoryAt(label: string): string | undefined {
    const project = this.projects.get(label);
    if (project !== undefined) return `${project}-${LATEST}`;
    const part = projectPartIn(label);
    const owner = part === undefined ? undefined : this.parts.get(part);
    return owner === undefined ? undefined : this.sitesOf(owner).get(label);
  }

  /** Returns the project of a host, whether its version is there or not; undefined where no project can have the host. */
  projectAt(label: string): string | undefined {
    return this.projects.get(label) ?? this.parts.get(projectPartIn(label) ?? '');
  }

  private sitesOf(project: string): ReadonlyMap<string, string> {
    let sites = this.sites.get(project);
    if (sites === undefined) {
      sites = new Map(this.namesOf(project).map((name) => [hostLabelOf(name, this.hash) ?? '', name]));
      this.sites.set(project, sites);
    }
    return sites;
  }

  private namesOf(project: string): readonly string[] {
    const { catalogue } = this;
    const { versions = [], aliases = [] } = catalogue.project(project) ?? {};
    const named = aliases.filter(({ alias, isShadowed }) => alias !== LATEST && !isShadowed);
    return [...versions, ...catalogue.previews.of(project)]
      .map(({ directoryName }) => directoryName)
      .concat(named.map(({ alias }) => `${project}-${alias}`));
  }
}

/** `2.1.0` is `2-1-0`; `2024-01-15` isn't itself, since it would be the same as `2024.01.15`. */
function versionText(label: string): string | undefined {
  if (DOTTED.test(label)) return label.replaceAll('.', '-');
  return NUMBERED.test(label) && label.includes('-') ? undefined : label;
}

/**
 * Returns a text for a name: `text` where a label can hold it, else the name with dashes and a hash. A text that
 * looks like the latter gets a hash, too.
 */
function partOf(name: string, text: string | undefined, max: number, hash: ShortHash): string {
  if (text !== undefined && text.length <= max && PLAIN.test(text) && !HASHED.test(text)) return text;
  const dashed = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  return `${dashed.slice(0, max - HASH_LENGTH - 1).replace(/-$/, '')}-${hash(name)}`;
}
