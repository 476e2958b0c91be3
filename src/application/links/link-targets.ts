import {
  ANYBODY,
  type Catalogue,
  type HostTable,
  type Located,
  type Project,
  type Reader,
  type Version,
  type VisibleCatalogue,
} from '../../domain/index.js';
import { mayBeOwnPage, type OutwardLink, projectInName } from '../../formats/links/outward-links.js';

/** The hosts of everything in a catalogue; undefined where projects have none. */
export type HostsOf = (seen: VisibleCatalogue) => Pick<HostTable, 'directoryAt' | 'projectAt'> | undefined;

/** The project and version for which the name in a link stands. */
interface LinkTarget {
  /** Directory name of the project, also of one that is not there; undefined for the host of none. */
  readonly project: string | undefined;
  /** Undefined where there is no such version. */
  readonly located: Located | undefined;
}

/** Looks up, for one reader, the projects and versions that names in links point to. */
export class LinkTargets {
  private readonly known = new Map<string, LinkTarget>();
  private readonly hosts: ReturnType<HostsOf>;

  constructor(
    private readonly seen: VisibleCatalogue,
    hostsOf: HostsOf,
  ) {
    this.hosts = hostsOf(seen);
  }

  of({ name, isHost }: Pick<OutwardLink, 'name' | 'isHost'>): LinkTarget {
    const key = isHost ? `//${name}` : name;
    let target = this.known.get(key);
    if (target === undefined) {
      target = isHost ? this.atHost(name) : this.named(name);
      this.known.set(key, target);
    }
    return target;
  }

  /** Says what is missing where a link leads to no version; undefined for one that may not mean any. */
  missingBehind(link: Pick<OutwardLink, 'link' | 'name' | 'isHost'>): 'project' | 'version' | undefined {
    const { project } = this.of(link);
    if (project !== undefined && this.seen.project(project) !== undefined) return 'version';
    return mayBeOwnPage(link) ? undefined : 'project';
  }

  private named(name: string): LinkTarget {
    const located = this.seen.locate(name);
    // The short address of a project, which may look like that of a version.
    const project = located === undefined ? this.seen.project(name) : undefined;
    if (project !== undefined) return { project: name, located: { project, version: project.latest } };
    return { project: projectInName(name), located };
  }

  private atHost(label: string): LinkTarget {
    const name = this.hosts?.directoryAt(label);
    return name === undefined
      ? { project: this.hosts?.projectAt(label), located: undefined }
      : this.named(name);
  }
}

/** The versions of a project whose links are followed: the latest, and those with an alias that counts. */
export function followedIn({ latest, aliases }: Project): readonly Version[] {
  const named = aliases.flatMap(({ version, isShadowed }) => (isShadowed ? [] : (version ?? [])));
  return [...new Set([latest, ...named])];
}

/** A reader with a right to every project who may not know of those that shadow aliases. */
const UNAWARE: Reader = { ...ANYBODY, rights: `${ANYBODY.rights} unaware`, mayKnowOf: () => false };

export type WholeViews = readonly [VisibleCatalogue, ...VisibleCatalogue[]];

/** All that there is; where projects shadow aliases, also as readers see it who may not know of these projects. */
export function wholeViews(catalogue: Catalogue, now = new Date()): WholeViews {
  const hasShadowed = catalogue.projects.some(({ shadowed }) => shadowed.size > 0);
  return [catalogue.seenBy(ANYBODY, now), ...(hasShadowed ? [catalogue.seenBy(UNAWARE, now)] : [])];
}
