import type { VisibleCatalogue } from '../catalogue/visible-catalogue.js';
import { LATEST } from '../settings/project-settings.js';
import { hostLabelOf, labelOfProject, projectPart, projectPartIn, type ShortHash } from './host-label.js';

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
