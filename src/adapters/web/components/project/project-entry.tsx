import { counted, isStable, type Project, piecesOf, SearchTerm } from '../../../../domain/index.js';
import { Day } from '../day.js';
import { useAddresses } from '../page-context.js';

interface ProjectEntryProps {
  readonly project: Project;
  /** Term whose words are marked; the empty term marks nothing. */
  readonly search?: SearchTerm;
  /** Element of the project's name: one level below the heading of the list. */
  readonly title?: 'h2' | 'h3' | undefined;
  /** Anchor of the entry. */
  readonly id?: string | undefined;
}

/** A project in a list, with its latest version. The scripts of the index find the parts by their classes. */
export function ProjectEntry({
  project,
  search = SearchTerm.none,
  title: Title = 'h2',
  id,
}: ProjectEntryProps) {
  const addresses = useAddresses();
  const { title, directoryName, summary, latest, listed } = project;
  return (
    <li class="row project" id={id}>
      <ProjectLogo project={project} />
      <div class="project-words line">
        <Title class="project-title">
          <a class="row-link project-name" href={addresses.latest(project)} dir="auto">
            <Marked text={title} search={search} />
          </a>
        </Title>
        {title !== directoryName && (
          <code class="directory-name small">
            <Marked text={directoryName} search={search} />
          </code>
        )}
        {summary !== '' && (
          <p class="description" dir="auto">
            <Marked text={summary} search={search} />
          </p>
        )}
        <Labels project={project} search={search} />
      </div>
      <p class="project-facts line tally">
        <span class="release line">
          <span class="visually-hidden">Latest: </span>
          {latest.label}
          {!isStable(latest.label) && <span class="mark caution">pre-release</span>}
        </span>
        <Day date={latest.record.publishedAt} age="day" />
        <a
          class="soft-link"
          href={addresses.project(project)}
          title={`${counted(listed.length, 'version')} of ${title}`}
        >
          {listed.length}
          <span class="project-unit"> {listed.length === 1 ? 'version' : 'versions'}</span>
          <span class="visually-hidden"> of {title}</span>
        </a>
      </p>
    </li>
  );
}

function Labels({ project, search }: { readonly project: Project; readonly search: SearchTerm }) {
  const addresses = useAddresses();
  const { owner, tags = [] } = project.docinfo;
  if (owner === undefined && tags.length === 0) return null;
  return (
    <p class="labels line small">
      {owner !== undefined && (
        <span>
          <span class="visually-hidden">Owner: </span>
          <a class="soft-link" href={addresses.index({ owner })}>
            <bdi>
              <Marked text={owner} search={search} />
            </bdi>
          </a>
        </span>
      )}
      {tags.map((tag) => (
        <a class="quiet tag" key={tag} href={addresses.index({ tag })}>
          <Marked text={tag} search={search} />
        </a>
      ))}
    </p>
  );
}

/** Text with the matches of a search marked. */
function Marked({ text, search }: { readonly text: string; readonly search: SearchTerm }) {
  if (search.isEmpty) return <>{text}</>;
  return (
    <>
      {piecesOf(text, search).map((piece, index) =>
        piece.isMatch ? <mark key={index}>{piece.text}</mark> : piece.text,
      )}
    </>
  );
}

/** The project's logo, or two letters of its title. Decoration only: the title is always shown next to it. */
export function ProjectLogo({ project }: { readonly project: Project }) {
  const addresses = useAddresses();
  const source = addresses.logo(project);
  if (source !== undefined) {
    return <img class="logo" src={source} alt="" width="44" height="44" loading="lazy" />;
  }
  return (
    <span class={`logo hue-${colourOf(project)}`} aria-hidden="true">
      {initialsOf(project.title)}
    </span>
  );
}

/** First letters of the first two words, or the first two letters of the only word. */
function initialsOf(title: string): string {
  const [first = '·', second] = title.match(/[\p{L}\p{N}]+/gu) ?? [];
  const [one = '', two = ''] = first;
  const [next = two] = second ?? '';
  return one.toUpperCase() + (second === undefined ? next.toLowerCase() : next.toUpperCase());
}

/** Number of colours of letters: the first one, and `.hue-1` and so on in the style sheet. */
const COLOURS = 8;

/** Colour of a project's letter, which helps to find it again: always the same for a name. */
function colourOf({ directoryName }: Project): number {
  return (
    [...directoryName].reduce((hash, letter) => (31 * hash + (letter.codePointAt(0) ?? 0)) % 9_973, 7) %
    COLOURS
  );
}
