import type { Project } from '../../../../domain/index.js';
import { useAddresses } from '../page-context.js';

/** What the docinfo says beside name and description: group, owner, repository, contact, tags. */
export function ProjectLabels({ project }: { readonly project: Project }) {
  const addresses = useAddresses();
  const { group, tags = [], owner, repository, contact } = project.docinfo;
  const facts = {
    Group: group && <a href={addresses.index({ group })}>{group}</a>,
    Owner: owner && <a href={addresses.index({ owner })}>{owner}</a>,
    Repository: repository && <Linked text={repository} />,
    Contact: contact && <Linked text={contact} />,
    Tags:
      tags.length === 0
        ? undefined
        : tags.map((tag) => (
            <a class="tag" key={tag} href={addresses.index({ tag })}>
              {tag}
            </a>
          )),
  };
  const given = Object.entries(facts).filter(([, value]) => value !== undefined);
  if (given.length === 0) return null;
  return (
    <dl class="project-labels">
      {given.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
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
