import { Fragment } from 'preact';
import {
  type FoundPages,
  MAX_RESULTS,
  type PageHit,
  type PageModels,
} from '../../../../application/index.js';
import { counted, nameInProject, type ProjectInWords, projectTitle } from '../../../../domain/index.js';
import type { PageQuery } from '../../addresses.js';
import { useAddresses } from '../page-context.js';
import { FoundFacetsNav } from './found-facets.js';
import { Hit, KindShapes } from './hit.js';

/** Max. results of one project among the results of others. */
const MAX_IN_GROUP = 3;

type FoundPagesProps = PageModels['search'];

/** Result of a search in one sentence. Scripts repeat it for screen readers as people type. */
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
function searchedFor(query: string, { inWords, correctedTo, omittedTerms }: FoundPages): string {
  const asked = correctedTo ?? inWords?.rest.trim() ?? query;
  const omitted = new Set(omittedTerms.map((word) => word.toLowerCase()));
  const words = asked.split(/\s+/).filter((word) => !omitted.has(word.toLowerCase()));
  return words.length === 0 ? asked : words.join(' ');
}

/** Results of one project as a list, of all projects as a list for each. */
export function FoundList({ found, ...facts }: FoundPagesProps) {
  if (found === undefined) return null;
  return (
    <>
      {found.hits.length > 0 && <KindShapes hits={found.hits} />}
      <Results found={found} {...facts} />
    </>
  );
}

function Results(facts: FoundPagesProps & { readonly found: FoundPages }) {
  const { query, place, filter, isEverywhere, found } = facts;
  const { hits, inWords } = found;
  if (inWords !== undefined) {
    return (
      <>
        <NamedProject named={inWords} everywhere={{ query, ...filter, isEverywhere: true }} />
        {hits.length === 0 ? <NothingFound {...facts} /> : <Hits hits={hits} />}
      </>
    );
  }
  if (hits.length === 0) return <NothingFound {...facts} />;
  if (place !== undefined) return <Hits hits={hits} />;
  return (
    <>
      {found.facets !== undefined && (
        <FoundFacetsNav facets={found.facets} query={{ query, ...filter, isEverywhere }} />
      )}
      {groupsOf(hits).map(([first, ...others]) => (
        <ProjectHits key={first.version.project} hits={[first, ...others]} query={query} />
      ))}
    </>
  );
}

interface NamedProjectProps {
  readonly named: ProjectInWords;
  /** The same search in all projects. */
  readonly everywhere: PageQuery;
}

/** The project that the words name, with the way out. */
function NamedProject({ named, everywhere }: NamedProjectProps) {
  const addresses = useAddresses();
  return (
    <ul class="plain-list line filters" aria-label="Filter">
      <li class="filter">
        <span class="small">In</span>{' '}
        <bdi>
          {projectTitle(named)} {nameInProject(named.version)}
        </bdi>
        <a class="filter-end" href={addresses.search(everywhere)} aria-label="Search in all projects">
          ×
        </a>
      </li>
    </ul>
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
  // A result with equal pages in other projects is the only way to them.
  const shown = hits.filter(({ sameIn }, at) => at < MAX_IN_GROUP || sameIn !== undefined);
  return (
    <div class="hit-group">
      <Hits hits={shown} of={`${name} ${version.label}`} />
      {hits.length > shown.length && (
        <p class="hit-more">
          <a class="quiet-link" href={addresses.search({ query, project: version.project })}>
            More in <bdi>{name}</bdi>
          </a>
        </p>
      )}
    </div>
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

interface HitsProps {
  readonly hits: readonly PageHit[];
  /** Project and version, which the first result shows; undefined where only one is searched. */
  readonly of?: string;
}

/** Pages of one project. Pages with the same title show their paths, too. */
function Hits({ hits, of }: HitsProps) {
  return (
    <ul class="plain-list hits" aria-label={of}>
      {hits.map((hit, at) => {
        const isAlike = hits.some((other) => other !== hit && other.title === hit.title);
        const key = `${hit.version.revision}/${hit.path}`;
        return (
          <Hit key={key} hit={hit} isPathShown={isAlike} isProjectShown={of !== undefined && at === 0} />
        );
      })}
    </ul>
  );
}
