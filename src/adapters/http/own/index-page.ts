import {
  groupsOf,
  isFiltering,
  PROJECT_ORDERS,
  type Project,
  type ProjectOrder,
  tagsOf,
} from '../../../domain/index.js';
import { filterOf, flagOf, searchOf } from '../api/query.js';
import type { AppParts } from '../app-parts.js';
import { HttpFault } from '../errors.js';
import { type Asked, type Handle, textAnswer } from '../response/answer.js';
import { stateNumber } from '../response/texts.js';
import { ownPage } from './own-page.js';

/** Max. projects on the page of a search. */
const MAX_FOUND_SHOWN = 200;
/** The same where pages are found, too, which come after the projects. */
const MAX_BEFORE_PAGES = 5;

/** `/`: all projects, those of a group, tag or owner, or search results. Only the whole index is cached. */
export function indexPage({ useCases, pages, at, texts, turns }: AppParts): Handle {
  /** By the array of all projects. */
  const facetsOf = new WeakMap<readonly Project[], ReturnType<typeof facetsIn>>();
  return async (asked) => {
    const [search, filter] = [searchOf(asked), filterOf(asked)];
    const isWhole = search.isEmpty && !isFiltering(filter);
    if (!isWhole) {
      await turns.next();
      asked.waiter.signal.throwIfAborted();
    }
    const seen = asked.visitor.seen();
    const all = await useCases.listProjects.execute(seen);
    const facets = facetsOf.get(all) ?? facetsIn(all);
    facetsOf.set(all, facets);
    const order = orderOf(asked) ?? (search.isEmpty && facets.groups.length > 0 ? 'group' : 'name');
    const address = at.of(asked);
    const found = await useCases.listProjects.execute(seen, { search, filter, order });
    const isShort = useCases.searchPages !== undefined && !flagOf(asked, 'all');
    const most = isShort ? MAX_BEFORE_PAGES : MAX_FOUND_SHOWN;
    const projects = search.isEmpty ? found : found.slice(0, most);
    const isPart = flagOf(asked, 'part');
    const facts = { projects, found: found.length, isShort, search, filter, facets, order, address };
    const make = () => ownPage(isPart ? pages.indexPart(facts) : pages.index(facts));
    // The empty index shows the address, which depends on the client. It is short, and not cached.
    if (!isWhole || found.length === 0) return textAnswer(make());
    const page = await texts.get(`index/${order}${isPart ? ' part' : ''} ${stateNumber(found)}`, async () => {
      await turns.next();
      return make();
    });
    return textAnswer(page);
  };
}

const facetsIn = (projects: readonly Project[]) => ({ groups: groupsOf(projects), tags: tagsOf(projects) });

/** @throws HttpFault `invalid_request` for an unknown order */
function orderOf({ query: { sort } }: Asked): ProjectOrder | undefined {
  if (sort === undefined || sort === '') return undefined;
  const order = PROJECT_ORDERS.find((each) => each === sort);
  if (order === undefined) {
    throw new HttpFault('invalid_request', `'sort' is one of ${PROJECT_ORDERS.join(', ')}`);
  }
  return order;
}
