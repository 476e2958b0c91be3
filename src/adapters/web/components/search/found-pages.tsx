import { MAX_RESULTS, type PageHit, type PageModels } from '../../../../application/index.js';
import { displayNameOf, type Located } from '../../../../domain/index.js';
import { useAddresses } from '../page-context.js';
import { counted } from '../quantities.js';

/** Results of one project that stand among those of others. */
const IN_GROUP = 3;

type FoundPagesProps = PageModels['search'];

/** What a search found, in one sentence. Scripts repeat it for screen readers as people type. */
export function FoundSentence({ query, found, offset }: Pick<FoundPagesProps, 'query' | 'found' | 'offset'>) {
  if (found === undefined) return null;
  const { hits, total, correctedTo, indexing, incomplete } = found;
  const stopped = incomplete === true && 'the search took too long and was stopped; there may be more';
  const reading = indexing.length > 0 && `${counted(indexing.length, 'version')} still being read`;
  if (hits.length === 0 && stopped) return <>Nothing found yet: {stopped}</>;
  if (hits.length === 0) return reading ? <>Nothing found yet, {reading}</> : <>No page has these words</>;
  const many = total >= MAX_RESULTS ? `the first ${MAX_RESULTS} pages` : counted(total, 'page');
  const shown = offset === 0 ? many : `${offset + 1} to ${offset + hits.length} of ${many}`;
  return (
    <>
      {shown[0]?.toUpperCase() + shown.slice(1)} for “<bdi>{correctedTo ?? query}</bdi>”
      {correctedTo !== undefined && (
        <>
          ; no page has “<bdi>{query}</bdi>”
        </>
      )}
      {reading && `; ${reading}`}
      {stopped && `; ${stopped}`}
    </>
  );
}

/** The results: of one project in a list, of all projects in groups. */
export function FoundList({ query, place, found }: Pick<FoundPagesProps, 'query' | 'place' | 'found'>) {
  if (found === undefined) return null;
  const { hits, indexing } = found;
  if (hits.length === 0) return <NothingFound {...{ query, place, isReading: indexing.length > 0 }} />;
  if (place !== undefined) return <Hits hits={hits} />;
  return (
    <>
      {groupsOf(hits).map(([first, ...others]) => (
        <Group key={first.version.project} hits={[first, ...others]} query={query} />
      ))}
    </>
  );
}

type Hits = readonly [PageHit, ...PageHit[]];

/** Results by project, the project of the best one first. */
function groupsOf(hits: readonly PageHit[]): readonly Hits[] {
  const groups = new Map<string, [PageHit, ...PageHit[]]>();
  for (const hit of hits) {
    const group = groups.get(hit.version.project);
    if (group === undefined) groups.set(hit.version.project, [hit]);
    else group.push(hit);
  }
  return [...groups.values()];
}

interface GroupProps {
  readonly hits: Hits;
  readonly query: string;
}

function Group({ hits, query }: GroupProps) {
  const addresses = useAddresses();
  const { version } = hits[0];
  const name = displayNameOf(hits[0]);
  return (
    <section class="hit-group">
      <h3>
        <bdi>{name}</bdi> <span class="hit-version">{version.label}</span>
      </h3>
      <Hits hits={hits.slice(0, IN_GROUP)} />
      {hits.length > IN_GROUP && (
        <p class="hit-more">
          <a href={addresses.search({ query, project: version.project })}>
            More in <bdi>{name}</bdi>
          </a>
        </p>
      )}
    </section>
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
  const { title, heading, snippet, path } = hit;
  return (
    <li class="hit">
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
      <p class="hit-snippet">
        <bdi>
          {snippet.map(({ text, isMarked }, index) => (isMarked ? <mark key={index}>{text}</mark> : text))}
        </bdi>
      </p>
    </li>
  );
}

interface NothingProps {
  readonly query: string;
  readonly place: Located | undefined;
  readonly isReading: boolean;
}

/** `data-again` has scripts search again in a moment. */
function NothingFound({ query, place, isReading }: NothingProps) {
  const addresses = useAddresses();
  if (isReading) {
    return (
      <p class="hit-nothing" data-again="">
        The pages are being read for the first time. Search again in a few seconds.
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
