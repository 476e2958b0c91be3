import { Fragment } from 'preact';
import type { PageHit } from '../../../../application/index.js';
import { useAddresses } from '../page-context.js';

/** Pages of one project. Those with the same title show their paths, which tell them apart. */
export function Hits({ hits }: { readonly hits: readonly PageHit[] }) {
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
  const { title, heading, snippet, path, way = [] } = hit;
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
