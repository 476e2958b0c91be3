import {
  addressOfPage,
  addressOfSection,
  type Located,
  PageAddress,
  redirectLine,
  type VisibleCatalogue,
} from '../../domain/index.js';
import type { Waiter } from '../ports/waiter.js';
import type { CheckLinks } from './check-links.js';
import type { HouseLinks, HouseReport } from './house-links.js';
import type { DeadLink, LinkReport, PageOfDeadLinks } from './link-report.js';

/** A dead link, and what would lead its readers on. */
export interface ShownLink extends DeadLink {
  /** Address in the site of the closest page or anchor, percent-encoded. */
  readonly leadsTo?: string;
  /** A line for `_redirects`, where the missing page has a closest one. */
  readonly redirect?: string;
}

/** `/-/check/<project>/<version>`: the dead links of a version. */
export interface ShownLinks extends Located {
  /** Undefined where links are not checked. */
  readonly report: Omit<LinkReport, 'byPage'> | undefined;
  readonly byPage: readonly (Pick<PageOfDeadLinks, 'path'> & { readonly links: readonly ShownLink[] })[];
  /** The lines of these links, each once. */
  readonly redirects: readonly string[];
  /** Links between sites; undefined where links are not checked. */
  readonly house: HouseReport | undefined;
}

/** Use case: shows the dead links of a version. */
export class ShowLinks {
  /** @param checkLinks undefined where links are not checked; so is `houseLinks` */
  constructor(
    private readonly checkLinks: Pick<CheckLinks, 'of'> | undefined,
    private readonly houseLinks?: Pick<HouseLinks, 'of'>,
  ) {}

  /**
   * Returns the dead links of a version. The first time for a version, its pages have to be read.
   * @param label of the version, an alias, `latest`, or `~<name>` for a preview
   * @throws Refusal `project_not_found`, `version_not_found`, `preview_not_found`, or `unavailable` when too many wait
   */
  async execute(
    seen: VisibleCatalogue,
    { project, label }: { readonly project: string; readonly label: string },
    waiter?: Waiter,
  ): Promise<ShownLinks> {
    const found = seen.named(project, label);
    if (found === undefined) throw seen.whyNotNamed(project, label);
    const report = await this.checkLinks?.of(found.version, waiter);
    const byPage = (report?.byPage ?? []).map(({ path, links }) => ({ path, links: links.map(withRemedy) }));
    return {
      ...found,
      report,
      byPage,
      redirects: [...new Set(byPage.flatMap(({ links }) => links.flatMap(({ redirect }) => redirect ?? [])))],
      house: this.houseLinks?.of(seen, found),
    };
  }
}

function withRemedy(link: DeadLink): ShownLink {
  const { missing, target, closest } = link;
  if (closest === undefined) return link;
  if (missing === 'anchor') {
    return { ...link, leadsTo: addressOfSection(target.replace(/#[^#]*$/, ''), closest) };
  }
  const from = PageAddress.of(target)?.toUrl();
  const redirect = from && redirectLine(from, closest);
  return { ...link, leadsTo: addressOfPage(closest), ...(redirect && { redirect }) };
}
