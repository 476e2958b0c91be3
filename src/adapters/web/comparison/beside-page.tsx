import type { ComparedBlock, ComparedPage } from '../../../application/index.js';
import { useAddresses } from '../components/page-context.js';
import { Blocks, isUnchanged } from './blocks.js';
import { fragmentOf, laterText, textDirectives } from './text-fragments.js';

/** Name of the frame, for the links that lead into it. */
const FRAME = 'compared-page';

/** A section of the later page, with what changed in it. */
interface ChangedSection {
  /** Text of its heading; empty in front of the first one. */
  readonly heading: string;
  /** Its anchor, else the nearest one before it; empty at the beginning of the page. */
  readonly anchor: string;
  /** The changes, each of blocks without an unchanged one between them. */
  readonly changes: readonly (readonly ComparedBlock[])[];
}

interface BesidePageProps {
  readonly compared: ComparedPage;
  /** Name of the page. */
  readonly name: string;
  /** Max. changed blocks. */
  readonly max: number;
}

/**
 * The later page as its site draws it, beside its changes, each of which leads to its place in the page. No script of the
 * site runs in the frame: on a shared origin it could change the page around it. With an origin of its own, the page would
 * lack its fonts, and the styles of a private project.
 */
export function BesidePage({ compared: { after, paths, blocks }, name, max }: BesidePageProps) {
  const addresses = useAddresses();
  const page = addresses.site(after) + addresses.page(paths.after);
  const directives = textDirectives(blocks);
  const addressOf = (anchor: string, change: readonly ComparedBlock[]) => {
    const texts = change.flatMap((block) => directives.get(block) ?? []);
    return page + fragmentOf(anchor, texts);
  };
  return (
    <div class="compared-beside">
      <div class="compared-changes">
        <div class="compared">
          {changedSections(blocks, max).map(({ heading, anchor, changes }, index) => (
            <div key={index}>
              {heading !== '' && changes[0]?.[0]?.isHeading !== true && (
                <p class="compared-heading">
                  <bdi>{heading}</bdi>
                </p>
              )}
              <ul class="plain-list">
                {changes.map((change, at) => (
                  <li key={at}>
                    <a class="compared-change is-changed" href={addressOf(anchor, change)} target={FRAME}>
                      <Blocks blocks={change} standAlone={false} />
                    </a>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </div>
      </div>
      <iframe
        class="compared-frame"
        name={FRAME}
        title={`${name} in ${after.label}`}
        src={page}
        sandbox="allow-same-origin"
      />
    </div>
  );
}

/** Returns the sections in which something changed, as far as `max` changed blocks reach. */
export function changedSections(blocks: readonly ComparedBlock[], max: number): readonly ChangedSection[] {
  let section = { heading: '', anchor: '', changes: [] as ComparedBlock[][] };
  const sections = [section];
  let isChanging = false;
  let count = 0;
  for (const block of blocks) {
    const heading = block.isHeading ? laterText(block) : '';
    if (heading !== '') {
      section = { heading, anchor: block.anchor ?? section.anchor, changes: [] };
      sections.push(section);
      isChanging = false;
    }
    const isChanged = !isUnchanged(block.parts);
    if (isChanged && count++ === max) break;
    if (isChanged && isChanging) section.changes.at(-1)?.push(block);
    else if (isChanged) section.changes.push([block]);
    isChanging = isChanged;
  }
  return sections.filter(({ changes }) => changes.length > 0);
}
