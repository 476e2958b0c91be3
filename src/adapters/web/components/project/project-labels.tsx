import type { ComponentChildren } from 'preact';
import type { Project } from '../../../../domain/index.js';
import { useAddresses } from '../page-context.js';

/** What the docinfo says beside name and description: group, owner, repository, contact, tags. */
export function ProjectLabels({ project }: { readonly project: Project }) {
  const addresses = useAddresses();
  const { group, tags = [], owner, repository, contact } = project.docinfo;
  if ([group, owner, repository, contact, tags[0]].every((each) => each === undefined)) return null;
  return (
    <dl class="project-labels">
      {group !== undefined && (
        <Fact name="Group">
          <a href={addresses.index({ group })}>{group}</a>
        </Fact>
      )}
      {owner !== undefined && (
        <Fact name="Owner">
          <a href={addresses.index({ owner })}>{owner}</a>
        </Fact>
      )}
      {repository !== undefined && (
        <Fact name="Repository">
          <Linked text={repository} />
        </Fact>
      )}
      {contact !== undefined && (
        <Fact name="Contact">
          <Linked text={contact} />
        </Fact>
      )}
      {tags.length > 0 && (
        <Fact name="Tags">
          {tags.map((tag) => (
            <a class="tag" key={tag} href={addresses.index({ tag })}>
              {tag}
            </a>
          ))}
        </Fact>
      )}
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <bdi>{children}</bdi>
      </dd>
    </div>
  );
}

/** Text that is a link if it is an address of the web or of e-mail. */
function Linked({ text }: { readonly text: string }) {
  if (/^https?:\/\/[^\s]+$/i.test(text) && URL.canParse(text)) {
    return (
      <a href={text} rel="external noreferrer">
        {text.replace(/^https?:\/\//i, '')}
      </a>
    );
  }
  // Half a surrogate pair (Cs) cannot be encoded.
  if (/^[^\s@:?&/\p{Cs}]+@[^\s@:?&/\p{Cs}]+$/u.test(text))
    return (
      <a href={`mailto:${encodeURIComponent(text)}`} rel="external">
        {text}
      </a>
    );
  return <>{text}</>;
}
