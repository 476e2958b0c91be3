import {
  addressOfPage,
  closestNamesInSteps,
  closestPages,
  decodedComponent,
  isCopiedInName,
  PageAddress,
  type Project,
  parseDirectoryName,
  type SitePages,
  type Version,
  type VisibleCatalogue,
} from '../../domain/index.js';
import { nextTurn } from '../concurrency.js';
import type { Sites } from '../ports/sites.js';
import { PagesByName } from './find-page.js';
import type { GoToPage, Whereabouts } from './go-to-page.js';
import type { Missing } from './read-page.js';

const MAX_SUGGESTED = 3;
/** Max. missing pages for which suggestions are looked for at once. Others come without. */
const MAX_AT_ONCE = 2;
/** Time in which suggestions for one missing page are looked for, in milliseconds of work. */
const MAX_WORK_MS = 20;
/** Max. versions in which a missing page is looked for, besides the latest. */
const MAX_VERSIONS = 12;

/** Suggestions for a missing page. */
export interface Suggestions {
  /** Projects with similar names, when the project is missing. */
  readonly projects: readonly Project[];
  /** Pages of the requested version that may be meant, best first. */
  readonly closest: readonly Whereabouts[];
  /** The nearest directory with a front page above the requested page, in the requested version. */
  readonly nearest?: Whereabouts | undefined;
  /** The page, or the nearest one, in the latest version. */
  readonly inLatest?: Whereabouts | undefined;
  /** The page in other versions than these two, newest first. */
  readonly inOthers: readonly Whereabouts[];
  /** The page's path inside the site, as in the URL, for links to other versions. */
  readonly page: string;
}

/**
 * Use case: suggests existing pages for a missing one. Nobody waits for it long: where there is much to look at, or many ask
 * at once, there are fewer suggestions, or none.
 */
export class SuggestInstead {
  private running = 0;

  constructor(
    docs: Sites,
    private readonly goToPage: GoToPage,
    private readonly startDeadline: () => Deadline = () => workOf(MAX_WORK_MS),
    private readonly pages = new PagesByName(docs),
  ) {}

  /** @param urlPath path of the URL as sent */
  async execute(seen: VisibleCatalogue, missing: Missing, urlPath: string): Promise<Suggestions> {
    const [, first = '', page = ''] = /^\/([^/]*)\/?(.*)$/s.exec(urlPath) ?? [];
    const none = { projects: [], page, closest: [], inOthers: [] };
    if (this.running >= MAX_AT_ONCE) return none;
    this.running += 1;
    try {
      return { ...none, ...(await this.lookFor(seen, missing, first, page)) };
    } finally {
      this.running -= 1;
    }
  }

  private async lookFor(
    seen: VisibleCatalogue,
    missing: Missing,
    first: string,
    page: string,
  ): Promise<Partial<Suggestions>> {
    if (missing.what === 'project') {
      return { projects: await closestProjects(seen, decodedComponent(first), this.startDeadline()) };
    }
    const { project } = missing;
    const version = missing.what === 'page' ? missing.version : undefined;
    // Done once for each version, so it does not count.
    const pages = version && (await this.pages.of(version));
    const deadline = this.startDeadline();
    const alias = project && `${project.directoryName}-latest`;
    const inLatest = alias === undefined ? undefined : await this.goToPage.execute(seen, alias, page);
    const directoryName = decodedComponent(first);
    const nearest = version && (await this.goToPage.execute(seen, directoryName, page));
    const inOthers = project === undefined ? [] : await this.inOthers(project, version, page, deadline);
    const wanted = PageAddress.fromUrl(page);
    if (version === undefined || pages === undefined || wanted === undefined) {
      return { inLatest, nearest, inOthers };
    }
    const same = nearest?.isSame === true && page !== '' ? [nearest] : [];
    const others = (await closestIn(pages, wanted, deadline))
      .map((path) => ({ version, to: `/${directoryName}/${addressOfPage(path)}`, isSame: false }))
      .filter(({ to }) => to !== same[0]?.to);
    const isLatest = inLatest?.version.revision === version.revision;
    return {
      inLatest: isLatest && same.length > 0 ? undefined : inLatest,
      nearest,
      inOthers,
      closest: [...same, ...others].slice(0, MAX_SUGGESTED),
    };
  }

  private async inOthers(
    project: Project,
    lacking: Version | undefined,
    page: string,
    deadline: Deadline,
  ): Promise<readonly Whereabouts[]> {
    if (page === '') return [];
    const others = project.listed
      .filter((each) => ![lacking, project.latest].some((no) => no?.directoryName === each.directoryName))
      .slice(-MAX_VERSIONS)
      .toReversed();
    const found: Whereabouts[] = [];
    for (const version of others) {
      if (deadline.isOver) break;
      await nextTurn();
      const same = await this.goToPage.samePage({ project, version }, version.directoryName, page);
      if (same !== undefined) found.push(same);
    }
    return found;
  }

  /** Returns the pages of a version that may be meant by an address, best first. */
  async closestTo(wanted: PageAddress, version: Version): Promise<readonly string[]> {
    const pages = await this.pages.of(version);
    return closestIn(pages, wanted, this.startDeadline());
  }
}

/** Says whether a work has taken the time that it may take. */
interface Deadline {
  readonly isOver: boolean;
}

/** A measure of Node's, which the type of the global object leaves out: time for which this thread has been at work. */
interface Thread {
  eventLoopUtilization(since?: object): { readonly active: number };
}

/**
 * Starts a deadline in the time for which this thread is at work, for whomever: waiting for a disk or a network holds up
 * nobody, so it does not count. Nor does waiting for a processor that is busy with other programs.
 */
function workOf(milliseconds: number): Deadline {
  const thread = performance as unknown as Thread;
  const start = thread.eventLoopUtilization();
  const cpu = process.cpuUsage();
  return {
    get isOver() {
      if (thread.eventLoopUtilization(start).active < milliseconds) return false;
      // Processor time of all threads, which is no less than that of this one.
      const { user, system } = process.cpuUsage(cpu);
      return (user + system) / 1_000 >= milliseconds;
    },
  };
}

/**
 * Takes a work's steps until there are no more or the deadline is over, and lets others have their turn after each.
 * @returns the result of the last step; `none` when there is no step
 */
async function inTurns<T>(steps: Iterable<T>, deadline: Deadline, none: T): Promise<T> {
  let result = none;
  for (const step of steps) {
    result = step;
    if (deadline.isOver) break;
    await nextTurn();
  }
  return result;
}

function closestIn(pages: SitePages, wanted: PageAddress, deadline: Deadline): Promise<readonly string[]> {
  return inTurns(closestPages(wanted, pages, MAX_SUGGESTED), deadline, []);
}

/**
 * Returns the projects with the most similar names.
 * @param name the requested name of a project, a version, or an alias `<project>-latest`
 */
async function closestProjects(
  seen: VisibleCatalogue,
  name: string,
  deadline: Deadline,
): Promise<readonly Project[]> {
  const project = parseDirectoryName(name)?.project;
  // Only a number marks a version for certain: `my-projetc` is no version of `my`.
  const wanted =
    project !== undefined && isCopiedInName(name) ? [project] : [name.replace(/-latest$/, ''), project ?? ''];
  const names = seen.listed.map(({ directoryName }) => directoryName);
  const found = new Set<string>();
  for (const each of wanted) {
    const steps = closestNamesInSteps(each, names, MAX_SUGGESTED);
    for (const closest of await inTurns(steps, deadline, [])) found.add(closest);
  }
  return [...found]
    .slice(0, MAX_SUGGESTED)
    .map((each) => seen.project(each))
    .filter((each) => each !== undefined);
}
