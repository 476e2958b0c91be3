import type { ComponentChildren } from 'preact';
import { type Source, shortRef, sourceLinks } from '../../../../domain/index.js';

/** Characters of a commit that tell it apart. */
const COMMIT_CHARACTERS = 10;

/** Source that a version was built from: links to the issuer's service where it is known, else text. */
export function SourceNote({ of }: { readonly of: Source }) {
  const { toldBy, repository, commit, ref, run } = of;
  const links = sourceLinks(of);
  return (
    <span class="small">
      from{' '}
      {repository !== undefined && (
        <Linked to={links.repository}>
          <bdi>{repository}</bdi>
        </Linked>
      )}
      {ref !== undefined && (
        <>
          {' '}
          <bdi>{shortRef(ref)}</bdi>
        </>
      )}
      {commit !== undefined && (
        <>
          {' '}
          <Linked to={links.commit}>
            <code>{commit.slice(0, COMMIT_CHARACTERS)}</code>
          </Linked>
        </>
      )}
      {run !== undefined && (
        <>
          {' '}
          <Linked to={links.run}>run {run}</Linked>
        </>
      )}
      {toldBy === 'client' && ', as told by the client'}
    </span>
  );
}

function Linked({ to, children }: { readonly to: string | undefined; readonly children: ComponentChildren }) {
  if (to === undefined) return <>{children}</>;
  return (
    <a href={to} rel="external noreferrer">
      {children}
    </a>
  );
}
