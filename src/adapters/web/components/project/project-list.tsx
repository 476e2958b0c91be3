import {
  fold,
  type Group,
  inGroups,
  type Project,
  type ProjectOrder,
  type SearchTerm,
} from '../../../../domain/index.js';
import { useAddresses, useSite } from '../page-context.js';
import { ProjectEntry } from './project-entry.js';

/** Min. number of projects that get links to the first letters of their names. */
const MIN_WITH_LETTERS = 40;

/** Heading of the projects that are in no group. */
export const UNGROUPED = 'Ungrouped';

interface ListProps {
  readonly projects: readonly Project[];
  /** Term whose words are marked. */
  readonly search: SearchTerm;
}

interface OrderedProps extends ListProps {
  readonly order: ProjectOrder;
}

/**
 * The list of the index: with headings in the order `group`. Search results have none: projects with the words in
 * their names come first there.
 */
export function ProjectList({ order, ...list }: OrderedProps) {
  if (!list.search.isEmpty) return <Rows {...list} />;
  if (order === 'group') return <Groups {...list} />;
  return <Rows {...list} anchors={hasLetters(list, order) ? lettersOf(list).anchors : undefined} />;
}

/** Links to the groups of the list in the order `group`, and to first letters in the order `name`. */
export function ProjectJumps({ order, ...list }: OrderedProps) {
  const groups = useGroupOrder(inGroups(list.projects));
  if (!list.search.isEmpty) return null;
  if (order === 'group') {
    const links = groups.map(({ name = UNGROUPED, projects }, index) => ({
      ...{ name, id: groupId(index), projects: projects.length },
    }));
    return <Jumps title="Groups" links={links} />;
  }
  if (!hasLetters(list, order)) return null;
  const links = lettersOf(list).letters.map((name) => ({ name, id: anchorOf(name) }));
  return <Jumps title="First letters" links={links} />;
}

/** The sentence of the site file about a group. */
export function GroupSentence({ group }: { readonly group: string }) {
  const sentence = useGroupTexts().get(fold(group));
  return sentence === undefined ? null : <p class="group-sentence measure">{sentence}</p>;
}

const groupId = (index: number) => `group-${index + 1}`;

function Groups({ projects, search }: ListProps) {
  const addresses = useAddresses();
  const groups = useGroupOrder(inGroups(projects));
  return (
    <>
      {groups.map(({ name, projects }, index) => (
        <section class="group" key={name} aria-labelledby={groupId(index)} data-rows={projects.length}>
          <h2 id={groupId(index)}>
            {name === undefined ? (
              UNGROUPED
            ) : (
              <a class="quiet-link" href={addresses.index({ group: name })}>
                <bdi>{name}</bdi>
              </a>
            )}
          </h2>
          {name !== undefined && <GroupSentence group={name} />}
          <Rows projects={projects} search={search} title="h3" />
        </section>
      ))}
    </>
  );
}

function hasLetters({ projects }: ListProps, order: ProjectOrder): boolean {
  return order === 'name' && projects.length >= MIN_WITH_LETTERS;
}

/** First letters in the order of the list, and the first project of each with its anchor. */
function lettersOf({ projects }: ListProps) {
  const anchors = new Map<Project, string>();
  const letters = new Set<string>();
  for (const project of projects) {
    const letter = letterOf(project);
    if (!letters.has(letter)) anchors.set(project, anchorOf(letter));
    letters.add(letter);
  }
  return { anchors, letters: [...letters] };
}

interface RowsProps extends ListProps {
  readonly title?: 'h2' | 'h3';
  /** Anchors of the projects that have one. */
  readonly anchors?: ReadonlyMap<Project, string> | undefined;
}

function Rows({ projects, search, title, anchors }: RowsProps) {
  return (
    <>
      {/* Each row repeats these words for those who listen. */}
      <div class="columns small" aria-hidden="true">
        <span>Project</span>
        <span>Latest version</span>
        <span>Published</span>
        <span>Project page</span>
      </div>
      <ul class="plain-list projects">
        {projects.map((project) => (
          <ProjectEntry
            key={project.directoryName}
            project={project}
            search={search}
            title={title}
            id={anchors?.get(project)}
          />
        ))}
      </ul>
    </>
  );
}

interface JumpsProps {
  readonly title: string;
  readonly links: readonly { readonly name: string; readonly id: string; readonly projects?: number }[];
}

function Jumps({ title, links }: JumpsProps) {
  if (links.length < 2) return null;
  return (
    <nav class="jumps" aria-label={title}>
      <p class="side-title small">{title}</p>
      <ul class="plain-list line">
        {links.map(({ name, id, projects }) => (
          <li key={id}>
            <a class="jump" href={`#${id}`}>
              <bdi>{name}</bdi>
              {projects !== undefined && <span class="tally"> {projects}</span>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** First letter of a project's title as a capital without marks; `0–9` for digits, `#` for signs. */
function letterOf({ title }: Project): string {
  const [first = ''] = title.normalize('NFKD').toUpperCase();
  if (/\p{Nd}/u.test(first)) return '0–9';
  return /\p{L}/u.test(first) ? first : '#';
}

function anchorOf(letter: string): string {
  return `letter-${/^[A-Z]$/.test(letter) ? letter : letter.codePointAt(0)}`;
}

/** Texts of the site file about groups, by their folded names in its order. */
function useGroupTexts(): ReadonlyMap<string, string | undefined> {
  const { groups = [] } = useSite().identity ?? {};
  return new Map(groups.map(({ name, description }) => [fold(name), description]));
}

/** Returns groups in the order of the site file; groups that it does not name follow in their own order. */
function useGroupOrder(groups: readonly Group[]): readonly Group[] {
  const named = [...useGroupTexts().keys()];
  const placeOf = ({ name }: Group) => {
    const place = name === undefined ? -1 : named.indexOf(fold(name));
    return place === -1 ? named.length : place;
  };
  return groups.toSorted((a, b) => placeOf(a) - placeOf(b));
}
