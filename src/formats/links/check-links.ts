import { decodedComponent, isContentPage, isPage, PageAddress } from '../../domain/index.js';
import { isRelative, OPTIONAL, SITE } from '../html/link-forms.js';
import type { WorkTime } from '../work-time.js';
import { type DeadLink, deadKey, type LinkReport, type PageOfDeadLinks } from './link-report.js';
import { ELSEWHERE, encodedPath, type LinkingPage } from './linking-page.js';
import type { FoundTarget, SiteTargets } from './site-targets.js';

/** Max. links that a report names. */
const MAX_NAMED_LINKS = 5_000;
/** Max. addresses whose targets are remembered, and max. characters of one: longer ones hardly come again. */
const MAX_REMEMBERED = 100_000;
const MAX_REMEMBERED_LENGTH = 300;
/** Links between two looks at the clock. */
const LINKS_PER_LOOK = 256;
/** Max. time for the closest pages of a report, and of one link, in milliseconds. */
const MAX_CLOSEST_MS = 2_000;
const MAX_CLOSEST_OF_LINK_MS = 50;

/** Lines of a source listing, which its script shows: `12-15`, `L12-L15`. */
const LINES = /^(L?\d+)[-:]L?\d+$/;

/** The site in which links are checked. */
interface CheckedSite {
  readonly targets: SiteTargets;
  /**
   * Whether a page has an id; undefined where that is not known.
   * @param path of its file
   */
  readonly hasId: (path: string, id: string) => boolean | undefined;
}

/** The page or file to which a link leads. */
interface Target {
  /** Decoded, with a `/` at its end as far as the address has one. */
  readonly name: string;
  readonly address: PageAddress | undefined;
  readonly found: FoundTarget | undefined;
}

/** Checks links inside of a site, page after page: whether a reader who follows one gets a page, and the place in it. */
export class LinkCheck {
  private pages = 0;
  private links = 0;
  /** `deadKey` of each dead link. */
  private readonly dead: number[] = [];
  private named = 0;
  private readonly byPage: PageOfDeadLinks[] = [];
  private readonly remembered = new Map<string, Target>();
  /** Places of links without their fragments, from the pages of one directory: navigation is the same on all of them. */
  private readonly places = new Map<string, string | undefined>();
  private directory = '';
  private readonly closest = new Map<string, string | undefined>();
  private closestMs = 0;

  /** Whether the time was over before all links were checked. */
  isOver = false;

  /** @param time after which further links are not checked */
  constructor(
    private readonly site: CheckedSite,
    private readonly time?: WorkTime,
  ) {}

  /** Checks the links of a page. Never throws. */
  add(page: LinkingPage): void {
    this.pages += 1;
    // Readers get the page for missing pages at any address.
    const start = isContentPage(page.path) ? startOf(page) : undefined;
    if (start === undefined) return;
    const found: DeadLink[] = [];
    const seen = new Set<string>();
    for (const link of page.links) {
      const hash = link.indexOf('#');
      const place = this.placeOf(hash === -1 ? link : link.slice(0, hash + 1), start);
      if (place === undefined) continue;
      if (this.links % LINKS_PER_LOOK === 0) this.isOver ||= this.time?.isOver === true;
      if (this.isOver) break;
      this.links += 1;
      const dead = this.whyDead(link, place, hash === -1 ? '' : encodedFragment(link.slice(hash + 1)));
      if (dead === undefined || seen.has(dead.target)) continue;
      seen.add(dead.target);
      this.dead.push(deadKey(page.path, dead.target));
      if (this.named < MAX_NAMED_LINKS) found.push(this.withClosest(dead));
    }
    if (found.length > 0) this.byPage.push({ path: page.path, links: found });
  }

  /**
   * Returns whether the page or the anchor is missing at an address in the site; undefined if readers get both.
   * @param place percent-encoded, without a leading `/`, with the fragment
   */
  missingAt(place: string): DeadLink['missing'] | undefined {
    const url = parsed(`./${place}`, new URL(SITE));
    return url && this.whyDead(place, placeIn(url), url.hash.slice(1))?.missing;
  }

  /** @param isCut whether there are more pages */
  end(isCut: boolean): { readonly report: LinkReport; readonly keys: Uint32Array } {
    const { pages, links, isOver } = this;
    const byPage = [...this.byPage].sort((a, b) => (a.path < b.path ? -1 : 1));
    const keys = Uint32Array.from(this.dead).sort();
    return { report: { pages, links, dead: keys.length, isCut: isCut || isOver, byPage }, keys };
  }

  /**
   * The place in the site to which a link leads; undefined for an invalid link, or one that leads out of the site.
   * @param link without its fragment
   */
  private placeOf(link: string, start: URL): string | undefined {
    const placeFrom = () => {
      const url = ELSEWHERE.test(link) ? undefined : parsed(link, start);
      return url && placeIn(url);
    };
    // Others may lead to the page itself.
    if (!STARTS_WITH_A_NAME.test(link) || link.length > MAX_REMEMBERED_LENGTH) return placeFrom();
    const directory = start.pathname.slice(0, start.pathname.lastIndexOf('/') + 1);
    if (directory !== this.directory || this.places.size >= MAX_REMEMBERED) this.places.clear();
    this.directory = directory;
    const known = this.places.get(link);
    if (known !== undefined || this.places.has(link)) return known;
    const place = placeFrom();
    this.places.set(link, place);
    return place;
  }

  private whyDead(link: string, encoded: string, id: string): Dead | undefined {
    const target = this.targetAt(encoded);
    const { name, address, found } = target;
    if (found === undefined) {
      return OPTIONAL.test(name) ? undefined : { link, target: name, missing: 'page', address };
    }
    const { path, hasPlace = false } = found;
    if (path === undefined || hasPlace || !isPage(path) || !isPlace(id)) return undefined;
    const decoded = decodedComponent(id);
    const ids = [id, decoded, ...(LINES.exec(decoded)?.slice(1) ?? [])];
    if (ids.some((each) => this.site.hasId(path, each) !== false)) return undefined;
    return { link, target: `${path}#${decoded}`, missing: 'anchor', path, id: decoded };
  }

  private targetAt(encoded: string): Target {
    const known = this.remembered.get(encoded);
    if (known !== undefined) return known;
    const address = PageAddress.fromUrl(encoded);
    const target = {
      name: address?.toString() ?? encoded,
      address,
      found: address && this.site.targets.find(address),
    };
    if (this.remembered.size >= MAX_REMEMBERED) this.remembered.clear();
    if (encoded.length <= MAX_REMEMBERED_LENGTH) this.remembered.set(encoded, target);
    return target;
  }

  private withClosest(dead: Dead): DeadLink {
    this.named += 1;
    const { link, target, missing } = dead;
    const closest = missing === 'page' ? this.closestPage(dead) : this.closestId(dead);
    return { link, target, missing, ...(closest !== undefined && { closest }) };
  }

  private closestPage({ target, address }: Dead): string | undefined {
    if (address === undefined) return undefined;
    if (this.closest.has(target)) return this.closest.get(target);
    const start = performance.now();
    const left = Math.min(MAX_CLOSEST_MS - this.closestMs, MAX_CLOSEST_OF_LINK_MS);
    let path: string | undefined;
    if (left > 0) {
      for ([path] of this.site.targets.closest(address)) if (performance.now() - start > left) break;
    }
    this.closestMs += performance.now() - start;
    this.closest.set(target, path);
    return path;
  }

  /** Ids are known by their hashes only, so other spellings of the id are tried. */
  private closestId({ path = '', id = '' }: Dead): string | undefined {
    return spellingsOf(id).find((each) => this.site.hasId(path, each) === true);
  }
}

interface Dead {
  readonly link: string;
  readonly target: string;
  readonly missing: DeadLink['missing'];
  /** The address of a missing page, if a page may have it. */
  readonly address?: PageAddress | undefined;
  /** Page and decoded id of a missing anchor. */
  readonly path?: string;
  readonly id?: string;
}

const SITE_PATH = new URL(SITE).pathname;
/** The beginning of a link whose place depends on the directory of its page alone. */
const STARTS_WITH_A_NAME = /^[\w.]/;
/** A fragment that is the same when it is percent-encoded. */
const NEEDS_NO_ENCODING = /^[\w.:;,()+*=@$&'/?!~-]*$/;

/** The path in the site, percent-encoded. */
function placeIn({ pathname }: URL): string {
  return pathname.slice(SITE_PATH.length);
}

function encodedFragment(fragment: string): string {
  return NEEDS_NO_ENCODING.test(fragment) ? fragment : new URL(`#${fragment}`, SITE).hash.slice(1);
}

/** The address from which the links of a page start; undefined where that is not inside the site. */
function startOf({ path, base }: LinkingPage): URL | undefined {
  const own = new URL(encodedPath(path), SITE);
  const start = base?.trim() ?? '';
  return isRelative(start) ? parsed(start, own) : ELSEWHERE.test(start) ? undefined : own;
}

/** @returns undefined for an invalid link, or one that leads out of the site */
function parsed(link: string, start: URL): URL | undefined {
  if (!URL.canParse(link, start)) return undefined;
  const url = new URL(link, start);
  return url.href.startsWith(SITE) ? url : undefined;
}

/** Whether a fragment needs an id in the markup of its page: not for the top, a text fragment, or a route of a script. */
function isPlace(fragment: string): boolean {
  return fragment !== '' && !/^(?:top$|[/!])|:~:/i.test(fragment);
}

function spellingsOf(id: string): readonly string[] {
  const lower = id.toLowerCase();
  const plain = id.replace(/^[#_-]+|[_-]+$/g, '');
  const spellings = [id, lower, plain, plain.toLowerCase()].flatMap((each) => [
    each,
    each.replaceAll('_', '-'),
    each.replaceAll('-', '_'),
    each.replaceAll('.', '-'),
    each.replace(/[\s_.-]+/g, '-'),
    each.replace(/[-_]\d{1,9}$/, ''),
  ]);
  return [...new Set(spellings)].filter((each) => each !== id && each !== '');
}
