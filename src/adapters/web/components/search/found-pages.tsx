import { Fragment } from 'preact';
import {
  type FoundPages,
  MAX_RESULTS,
  type PageHit,
  type PageModels,
} from '../../../../application/index.js';
import { counted, projectTitle, searchedTo } from '../../../../domain/index.js';
import { useAddresses } from '../page-context.js';
import { FoundFacetsNav } from './found-facets.js';

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
  // One with equal pages in other projects is the only way to them.
  const shown = hits.filter(({ sameIn }, at) => at < MAX_IN_GROUP || sameIn !== undefined);
  return (
    <section class="hit-group">
      <h3>
        <bdi>{name}</bdi> <span class="hit-version">{version.label}</span>
      </h3>
      <Hits hits={shown} />
      {hits.length > shown.length && (
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
      <EqualPages hit={hit} />
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

/** The projects that have an equal page, too. Scripts know the favourites among them by `data-project`. */
function EqualPages({ hit }: { readonly hit: PageHit }) {
  const addresses = useAddresses();
  const { sameIn } = hit;
  if (sameIn === undefined) return null;
  return (
    <details class="hit-same">
      <summary>In {counted(sameIn.length + 1, 'project')}</summary>
      <ul class="plain-list">
        {sameIn.map((each) => (
          <li key={each.version.project} data-project={each.version.project}>
            <a href={addresses.hit(each)}>
              <bdi>{projectTitle(each)}</bdi>
            </a>{' '}
            <span class="hit-version">{each.version.label}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
