import {
  isListed,
  type Located,
  PageAddress,
  Refusal,
  type Version,
  type VisibleCatalogue,
} from '../../domain/index.js';
import type { OutwardLink, ServerAddress } from '../../formats/links/outward-links.js';
import { nextTurn } from '../concurrency.js';
import type { FindPage } from '../pages/find-page.js';
import type { Catalogues } from '../ports/doc-store.js';
import type { FoundOutward, LinkChecking, LinkedSite } from '../ports/link-checking.js';
import type { Waiter } from '../ports/waiter.js';
import type { CheckLinks } from './check-links.js';
import type { DeadLink } from './link-report.js';
import { followedIn, type HostsOf, LinkTargets, type WholeViews, wholeViews } from './link-targets.js';

/** Max. links of all versions together, and of one; a long link counts as several. */
const MAX_LINKS = 200_000;
const MAX_OF_VERSION = 20_000;
/** Max. links that a report names, of each kind. */
const MAX_NAMED = 1_000;
/** Max. versions that are followed since somebody asked for them. */
const MAX_ASKED = 100;
/** Delay after the start if nothing changes and nobody asks, after a change of the catalogue, and after a failure, in milliseconds. */
const START_MS = 10_000;
const DELAY_MS = 100;
const PAUSE_MS = 10_000;

const NO_LINKS: FoundOutward = { links: [], weight: 0, isCut: true };

export interface HouseOptions {
  readonly at: ServerAddress;
  readonly hostsOf: HostsOf;
  /** Receives warnings. */
  readonly report?: (message: string, fields: object) => void;
}

/** A dead link to another project or version. */
export interface DeadOutwardLink {
  /** Path of the page that has it. */
  readonly page: string;
  readonly link: string;
  readonly missing: 'project' | 'version' | DeadLink['missing'];
}

/** Dead links between the sites of the server, as far as a reader may see them. */
export interface HouseReport {
  /** False while some of the links are not looked up yet. */
  readonly isChecked: boolean;
  /** Whether a bound was reached, so that some links are not known. */
  readonly isCut: boolean;
  /** Number of dead links of the version to others, and the first of them. */
  readonly dead: number;
  readonly links: readonly DeadOutwardLink[];
  /** The first dead links of other projects to this one. */
  readonly here: readonly (DeadOutwardLink & { readonly version: Version })[];
}

/** Missing part of the target, by place; undefined where readers get the place. */
type Answers = Map<string, DeadLink['missing'] | undefined>;

/**
 * Use case: finds dead links between the sites of the server. It compares the catalogue with the links that it has looked up,
 * and looks up the rest, one version at a time. Nothing is queued. Links are kept as facts: the reader's rights decide which of
 * their targets are there.
 */
export class HouseLinks {
  /** Links to other sites, by revision. */
  private readonly sources = new Map<string, FoundOutward>();
  private weight = 0;
  /** Keyed by `keyOf` of the target. */
  private readonly answers = new Map<string, Answers>();
  /** Versions that somebody asked for, by revision. */
  private readonly asked = new Map<string, Version>();
  private starting: NodeJS.Timeout | undefined;
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> | undefined;
  private isDue = false;
  private readonly closing = new AbortController();
  private unsubscribe = () => {};

  constructor(
    private readonly docs: Pick<Catalogues, 'catalogue' | 'subscribe'>,
    private readonly checkLinks: Pick<CheckLinks, 'withSite'>,
    private readonly checking: Pick<LinkChecking, 'outward' | 'missing'>,
    private readonly pages: Pick<FindPage, 'moved'>,
    private readonly options: HouseOptions,
  ) {}

  /** Begins to look, and follows the catalogue from then on. */
  start(): void {
    this.unsubscribe = this.docs.subscribe(() => this.lookIn(DELAY_MS));
    this.starting = setTimeout(() => this.lookIn(0), START_MS).unref();
  }

  /** Ends background work. Safe to call twice. */
  async close(): Promise<void> {
    this.unsubscribe();
    this.closing.abort(new Error('the server is closing'));
    clearTimeout(this.starting);
    clearTimeout(this.timer);
    await this.looking;
  }

  /** Returns what is known of the links of a version to others, and of others to its project. */
  of(seen: VisibleCatalogue, { version }: Located): HouseReport {
    const targets = new LinkTargets(seen, this.options.hostsOf);
    const own = this.sources.get(version.revision);
    if (own === undefined) this.want(version);
    let isChecked = own !== undefined;
    let isCut = own?.isCut === true;
    const deadIn = (source: FoundOutward | undefined, counts: (link: OutwardLink) => boolean = () => true) =>
      (source?.links ?? []).filter(counts).flatMap((each): DeadOutwardLink[] => {
        const missing = this.missingAt(targets, each);
        if (missing === 'unknown') isChecked = false;
        const { page, link } = each;
        return missing === undefined || missing === 'unknown' ? [] : [{ page, link, missing }];
      });
    const dead = deadIn(own);
    const here: (DeadOutwardLink & { readonly version: Version })[] = [];
    for (const project of seen.projects) {
      if (project.directoryName === version.project) continue;
      for (const each of followedIn(project)) {
        if (!isListed({ project, version: each })) continue;
        const source = this.sources.get(each.revision);
        if (source === undefined) isChecked = false;
        if (source?.isCut) isCut = true;
        const found = deadIn(source, (link) => targets.of(link).project === version.project);
        for (const link of found.slice(0, MAX_NAMED - here.length)) here.push({ ...link, version: each });
      }
    }
    return { isChecked, isCut, dead: dead.length, links: dead.slice(0, MAX_NAMED), here };
  }

  private missingAt(targets: LinkTargets, link: OutwardLink) {
    const { located } = targets.of(link);
    if (located === undefined) return targets.missingBehind(link);
    const answers = this.answers.get(keyOf(located));
    return answers?.has(link.place) ? answers.get(link.place) : 'unknown';
  }

  private want(version: Version): void {
    this.asked.delete(version.revision);
    this.asked.set(version.revision, version);
    const [oldest] = this.asked.keys();
    if (this.asked.size > MAX_ASKED && oldest !== undefined) this.asked.delete(oldest);
    this.lookIn(DELAY_MS);
  }

  /** Looks after a delay, or once more if that is being done. */
  private lookIn(delayMs: number): void {
    this.isDue = true;
    if (this.isClosed || this.looking !== undefined || this.timer !== undefined) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.isDue = false;
      this.looking = this.look().then((pauseMs) => {
        this.looking = undefined;
        if (this.isDue || pauseMs > 0) this.lookIn(pauseMs || DELAY_MS);
      });
    }, delayMs);
    this.timer.unref();
  }

  /** @returns milliseconds until the next look; 0: when something changes */
  private async look(): Promise<number> {
    try {
      const views = wholeViews(this.docs.catalogue());
      for (const version of this.followed(views)) {
        if (this.isClosed) return 0;
        if (!this.sources.has(version.revision)) await this.read(version);
      }
      for (const { located, places } of await this.questions(views)) {
        if (this.isClosed) return 0;
        await this.answer(located, places);
      }
      return 0;
    } catch (err) {
      if (!this.isClosed && !(err instanceof Refusal)) {
        this.options.report?.('links between sites cannot be checked for now; trying again later', { err });
      }
      return PAUSE_MS;
    }
  }

  /** Returns the versions to follow, and forgets all others. */
  private followed(views: WholeViews): readonly Version[] {
    const [seen] = views;
    for (const [revision, { directoryName }] of this.asked) {
      if (seen.version(directoryName)?.revision !== revision) this.asked.delete(revision);
    }
    const ofProjects = views.flatMap(({ projects }) => projects.flatMap(followedIn));
    const followed = [...ofProjects, ...this.asked.values()];
    const revisions = new Set(followed.map(({ revision }) => revision));
    const before = this.weight;
    for (const [revision, { weight }] of this.sources) {
      if (revisions.has(revision)) continue;
      this.sources.delete(revision);
      this.weight -= weight;
    }
    // There is room for those that found none.
    if (this.weight < before)
      for (const [key, each] of this.sources) if (each === NO_LINKS) this.sources.delete(key);
    return followed;
  }

  private async read(version: Version): Promise<void> {
    const { directoryName, revision } = version;
    const max = Math.min(MAX_OF_VERSION, MAX_LINKS - this.weight);
    const question = { directoryName, at: this.options.at, max };
    const find = ({ file }: LinkedSite, waiter: Waiter) => this.checking.outward(file, question, waiter);
    const found = (max > 0 ? await this.inSite(version, find) : undefined) ?? NO_LINKS;
    this.sources.set(revision, found);
    this.weight += found.weight;
  }

  /** Returns the places whose answers are not known, by target, and forgets answers that nobody needs. */
  private async questions(views: WholeViews) {
    const targets = views.map((seen) => new LinkTargets(seen, this.options.hostsOf));
    const used = new Set<string>();
    const questions = new Map<string, { readonly located: Located; readonly places: Set<string> }>();
    for (const { links } of this.sources.values()) {
      await nextTurn();
      for (const { name, isHost, place } of links) {
        for (const located of targets.flatMap((each) => each.of({ name, isHost }).located ?? [])) {
          const key = keyOf(located);
          used.add(key);
          if (this.answers.get(key)?.has(place)) continue;
          const question = questions.get(key) ?? { located, places: new Set() };
          questions.set(key, question);
          question.places.add(place);
        }
      }
    }
    for (const key of this.answers.keys()) if (!used.has(key)) this.answers.delete(key);
    return questions.values();
  }

  private get isClosed(): boolean {
    return this.closing.signal.aborted;
  }

  private async answer(located: Located, asked: ReadonlySet<string>): Promise<void> {
    const { version, project } = located;
    const places = [...asked];
    const missing = await this.inSite(version, (site, waiter) => this.checking.missing(site, places, waiter));
    const key = keyOf(located);
    const answers: Answers = this.answers.get(key) ?? new Map();
    for (const [index, place] of places.entries()) {
      if (this.isClosed) return;
      let answer = missing?.[index];
      // Redirects of the latest version lead readers of older ones on.
      if (answer === 'page' && project?.isLatest(version) === false) {
        await nextTurn();
        const page = PageAddress.fromUrl(place.replace(/#.*$/s, ''));
        if (page && (await this.pages.moved(located, page)) !== undefined) answer = undefined;
      }
      answers.set(place, answer);
    }
    this.answers.set(key, answers);
  }

  /** Returns undefined for a site that cannot be read, or is gone meanwhile. @throws Refusal when too much waits */
  private async inSite<Result>(
    version: Version,
    use: (site: LinkedSite, waiter: Waiter) => Promise<Result>,
  ): Promise<Result | undefined> {
    const waiter = { signal: this.closing.signal };
    try {
      return await this.checkLinks.withSite(version, (site) => use(site, waiter), waiter);
    } catch (err) {
      if (err instanceof Refusal) throw err;
      const { directoryName: name, revision } = version;
      if (this.docs.catalogue().version(name)?.revision === revision && !this.isClosed) {
        this.options.report?.('the links of a version to others cannot be checked', { version: name, err });
      }
      return undefined;
    }
  }
}

/** Redirects of the latest version count for older ones. */
function keyOf({ project, version }: Located): string {
  return `${version.revision} ${project?.latest.revision ?? ''}`;
}
