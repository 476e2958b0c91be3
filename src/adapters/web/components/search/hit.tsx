import { Fragment } from 'preact';
import type { HitKind, PageHit } from '../../../../application/index.js';
import { counted, lackedBy, projectTitle, searchedTo } from '../../../../domain/index.js';
import { type IconName, Shapes, TellingIcon } from '../icon.js';
import { useAddresses } from '../page-context.js';

/** Characters of a snippet that are seen in a list: two or three lines. */
const SEEN_OF_SNIPPET = 220;

const KINDS: Readonly<Record<HitKind, { readonly icon: IconName; readonly label: string }>> = {
  type: { icon: 'type', label: 'Type' },
  function: { icon: 'function', label: 'Function' },
  option: { icon: 'option', label: 'Option' },
  value: { icon: 'value', label: 'Value' },
  module: { icon: 'module', label: 'Module' },
  section: { icon: 'section', label: 'Section' },
  page: { icon: 'page', label: 'Page' },
  list: { icon: 'list', label: 'List' },
  'release notes': { icon: 'history', label: 'Release notes' },
};

/** Shapes of the kinds of results, in front of their list. */
export function KindShapes({ hits }: { readonly hits: readonly PageHit[] }) {
  return <Shapes names={new Set(hits.map(({ kind }) => KINDS[kind].icon))} />;
}

interface HitProps {
  readonly hit: PageHit;
  readonly isPathShown: boolean;
  readonly isProjectShown: boolean;
}

/** A found page. `find-pages.js` lets the link lead to the marked words, where the browser can. */
export function Hit({ hit, isPathShown, isProjectShown }: HitProps) {
  const addresses = useAddresses();
  const { title, kind, heading, snippet, path, way = [], lacks, readTo } = hit;
  const { icon, label } = KINDS[kind];
  const seen = snippet.map(({ text }) => text).join('');
  const isCode = seen.slice(0, SEEN_OF_SNIPPET).includes('\n');
  return (
    <li class="row hit">
      {way.length > 0 && (
        <p class="hit-way small">
          <bdi>{way.join(' › ')}</bdi>
        </p>
      )}
      <TellingIcon name={icon} label={label} />
      <a class="row-link hit-link" href={addresses.hit(hit)}>
        <bdi>{title || path}</bdi>
        {heading !== undefined && (
          <span class="hit-heading">
            {' › '}
            <bdi>{heading}</bdi>
          </span>
        )}
      </a>
      {isPathShown && title !== '' && (
        <p class="hit-path small">
          <bdi>{path}</bdi>
        </p>
      )}
      {isProjectShown && (
        <span class="hit-project">
          <bdi>{projectTitle(hit)}</bdi> <span class="small">{hit.version.label}</span>
        </span>
      )}
      <p class={isCode ? 'hit-snippet is-code' : 'hit-snippet'}>
        <bdi>
          {snippet.map(({ text, isMarked }, index) => (isMarked ? <mark key={index}>{text}</mark> : text))}
        </bdi>
      </p>
      <Versions hit={hit} />
      <EqualPages hit={hit} />
      {lacks !== undefined && <p class="small">{lackedBy(lacks)}</p>}
      {readTo !== undefined && <p class="small">{searchedTo(readTo)}</p>}
    </li>
  );
}

/** The version of a result among all, and the older ones that have the page, too. */
function Versions({ hit }: { readonly hit: PageHit }) {
  const addresses = useAddresses();
  const { alsoIn: others } = hit;
  if (others === undefined) return null;
  return (
    <p class="small">
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
    <details class="hit-same small">
      <summary>In {counted(sameIn.length + 1, 'project')}</summary>
      <ul class="plain-list">
        {sameIn.map((each) => (
          <li key={each.version.project} data-project={each.version.project}>
            <a href={addresses.hit(each)}>
              <bdi>{projectTitle(each)}</bdi>
            </a>{' '}
            <span class="small">{each.version.label}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
