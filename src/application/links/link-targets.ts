import type { HostTable, Located, Project, Version, VisibleCatalogue } from '../../domain/index.js';
import { type OutwardLink, projectInName } from '../../formats/links/outward-links.js';

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

  /** Whether the reader may see a project. */
  has(project: string | undefined): boolean {
    return project !== undefined && this.seen.project(project) !== undefined;
  }

  private named(name: string): LinkTarget {
    return { project: projectInName(name), located: this.seen.locate(name) };
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
