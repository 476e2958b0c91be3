import { Fragment } from 'preact';
import {
  type FoundFacets,
  type FoundPages,
  MAX_RESULTS,
  type PageHit,
  type PageModels,
} from '../../../../application/index.js';
import { counted, projectTitle, searchedTo } from '../../../../domain/index.js';
import type { PageQuery } from '../../addresses.js';
import { useAddresses } from '../page-context.js';

/** Results of one project that stand among those of others. */
const MAX_IN_GROUP = 3;

type FoundPagesProps = PageModels['search'];

/** What a search found, in one sentence. Scripts repeat it for screen readers as people type. */
export function FoundSentence({ query, found, offset }: FoundPagesProps) {
  if (found === undefined) return null;
  const { hits, total, more, indexing, incomplete } = found;
  const stopped = incomplete === true && 'the search took too long and was stopped; there may be more';
  const reading = indexing.length > 0 && `${counted(indexing.length, 'version')} still being read`;
  if (hits.length === 0 && stopped) return <>Nothing found yet: {stopped}</>;
  if (hits.length === 0) return reading ? <>Nothing found yet, {reading}</> : <>No page has these words</>;
  const many = more || total >= MAX_RESULTS ? `the first ${counted(total, 'page')}` : counted(total, 'page');
  const shown = offset === 0 ? many : `${offset + 1} to ${offset + hits.length} of ${many}`;
  const unknown = [...found.corrections.map(({ from }) => from), ...found.omittedTerms];
  return (
    <>
      {unknown.length > 0 && (
        <>
          No page has{' '}
          {unknown.map((word, index) => (
            <Fragment key={word}>
              {index > 0 && ' or '}“<del>{word}</del>”
            </Fragment>
          ))}
          ;{' '}
        </>
      )}
      {unknown.length > 0 ? shown : shown[0]?.toUpperCase() + shown.slice(1)} for “
      <bdi>{searchedFor(query, found)}</bdi>”{reading && `; ${reading}`}
      {stopped && `; ${stopped}`}
    </>
  );
}

/** The words that were searched for. */
function searchedFor(query: string, { correctedTo = query, omittedTerms }: FoundPages): string {
  const omitted = new Set(omittedTerms.map((word) => word.toLowerCase()));
  const words = correctedTo.split(/\s+/).filter((word) => !omitted.has(word.toLowerCase()));
  return words.length === 0 ? correctedTo : words.join(' ');
}

/** The results: of one project in a list, of all projects in groups. */
export function FoundList(facts: FoundPagesProps) {
  const { query, place, filter, found } = facts;
  if (found === undefined) return null;
  const { hits } = found;
  if (hits.length === 0) return <NothingFound {...facts} />;
  if (place !== undefined) return <Hits hits={hits} />;
  return (
    <>
      {found.facets !== undefined && <FoundFacetsNav facets={found.facets} query={{ query, ...filter }} />}
      {groupsOf(hits).map(([first, ...others]) => (
        <ProjectHits key={first.version.project} hits={[first, ...others]} query={query} />
      ))}
    </>
  );
}

type Group = readonly [PageHit, ...PageHit[]];

/** Results by project, the project of the best one first. */
function groupsOf(hits: readonly PageHit[]): readonly Group[] {
  const groups = new Map<string, [PageHit, ...PageHit[]]>();
  for (const hit of hits) {
    const group = groups.get(hit.version.project);
    if (group === undefined) groups.set(hit.version.project, [hit]);
    else group.push(hit);
  }
  return [...groups.values()];
}

function ProjectHits({ hits, query }: { readonly hits: Group; readonly query: string }) {
  const addresses = useAddresses();
  const { version } = hits[0];
  const name = projectTitle(hits[0]);
  return (
    <section class="hit-group">
      <h3>
        <bdi>{name}</bdi> <span class="hit-version">{version.label}</span>
      </h3>
      <Hits hits={hits.slice(0, MAX_IN_GROUP)} />
      {hits.length > MAX_IN_GROUP && (
        <p class="hit-more">
          <a href={addresses.search({ query, project: version.project })}>
            More in <bdi>{name}</bdi>
          </a>
        </p>
      )}
    </section>
  );
}

/** `data-again` has scripts search again in a moment. */
function NothingFound({ query, place, found }: FoundPagesProps) {
  const addresses = useAddresses();
  if (found !== undefined && found.indexing.length > 0) {
    return (
      <p class="hit-nothing" data-again="">
        These pages are being indexed. Search again in a few seconds.
      </p>
    );
  }
  return (
    <p class="hit-nothing">
      {query.includes('"')
        ? 'Try it without the quotation marks, or other words.'
        : 'Try fewer words, or other ones.'}
      {place !== undefined && (
        <>
          {' '}
          Or <a href={addresses.search({ query })}>search all projects</a>.
        </>
      )}
    </p>
  );
}

interface FacetsProps {
  readonly facets: FoundFacets;
  /** The search that the links narrow. */
  readonly query: PageQuery;
}

/** Projects, groups and tags by which the results can be narrowed, with the number of pages in each. */
function FoundFacetsNav({ facets: { projects, groups, tags }, query }: FacetsProps) {
  const addresses = useAddresses();
  if (projects.length < 2) return null;
  const linksTo = (kind: 'group' | 'tag', counts: typeof groups) =>
    counts
      .filter(() => query[kind] === undefined)
      .map(({ name, pages }) => ({ name, pages, to: addresses.search({ ...query, [kind]: name }) }));
  const lists = [
    {
      title: 'Projects',
      links: projects.map(({ name, project, pages }) => ({
        name: projectTitle({ project, version: project.latest }),
        pages,
        to: addresses.search({ query: query.query ?? '', project: name }),
      })),
    },
    { title: 'Groups', links: linksTo('group', groups) },
    { title: 'Tags', links: linksTo('tag', tags) },
  ];
  return (
    <nav class="found-facets" aria-label="Narrow the search">
      {lists
        .filter(({ links }) => links.length > 0)
        .map(({ title, links }) => (
          <section key={title}>
            <h3>{title}</h3>
            <ul class="plain-list">
              {links.map(({ name, pages, to }) => (
                <li key={to}>
                  <a href={to}>
                    <bdi>{name}</bdi> <span class="tally">{pages}</span>
                  </a>
                </li>
              ))}
            </ul>
          </section>
        ))}
    </nav>
  );
}

/** Pages of one project. Those with the same title show their paths, which tell them apart. */
function Hits({ hits }: { readonly hits: readonly PageHit[] }) {
  return (
    <ul class="plain-list hits">
      {hits.map((hit) => {
        const isAlike = hits.some((other) => other !== hit && other.title === hit.title);
        return <Hit key={`${hit.version.revision}/${hit.path}`} hit={hit} isPathShown={isAlike} />;
      })}
    </ul>
  );
}

/** One page. `find-pages.js` lets its link lead to the marked words, where the browser can. */
function Hit({ hit, isPathShown }: { readonly hit: PageHit; readonly isPathShown: boolean }) {
  const addresses = useAddresses();
  const { title, heading, snippet, path, way = [], readTo } = hit;
  const isCode = snippet.some(({ text }) => text.includes('\n'));
  return (
    <li class="hit">
      {way.length > 0 && (
        <p class="hit-way">
          <bdi>{way.join(' › ')}</bdi>
        </p>
      )}
      <a class="quiet-link hit-link" href={addresses.hit(hit)}>
        <bdi>{title || path}</bdi>
        {heading !== undefined && (
          <span class="hit-heading">
            {' › '}
            <bdi>{heading}</bdi>
          </span>
        )}
        {isPathShown && title !== '' && (
          <span class="hit-path">
            {' '}
            <bdi>{path}</bdi>
          </span>
        )}
      </a>
      <p class={isCode ? 'hit-snippet is-code' : 'hit-snippet'}>
        <bdi>
          {snippet.map(({ text, isMarked }, index) => (isMarked ? <mark key={index}>{text}</mark> : text))}
        </bdi>
      </p>
      <Versions hit={hit} />
      {readTo !== undefined && <p class="hit-versions">{searchedTo(readTo)}</p>}
    </li>
  );
}

/** The version of a result among all, and the older ones that have the page, too. */
function Versions({ hit }: { readonly hit: PageHit }) {
  const addresses = useAddresses();
  const { alsoIn: others } = hit;
  if (others === undefined) return null;
  return (
    <p class="hit-versions">
      <bdi>{hit.version.label}</bdi>
      {others.length > 0 && ', also in '}
      {others.map((version, index) => (
        <Fragment key={version.label}>
          {index > 0 && ', '}
          <a href={addresses.hit({ ...hit, version })}>
            <bdi>{version.label}</bdi>
          </a>
        </Fragment>
      ))}
    </p>
  );
}
