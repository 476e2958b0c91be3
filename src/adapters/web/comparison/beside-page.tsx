import type { ComparedBlock, ComparedPage } from '../../../application/index.js';
import { useAddresses } from '../components/page-context.js';
import { Blocks, isUnchanged } from './blocks.js';

/** Max. characters of a text that browsers look for: the beginning is enough. */
const MAX_LENGTH = 300;
/** Min. characters of a text without words of the block before: a shorter one may be anywhere, in a menu too. */
const MIN_ALONE = 24;
/** Words of the block before that tell where a text is. */
const MAX_PREFIX_WORDS = 5;
/** Max. directives of one address. */
const MAX_DIRECTIVES = 10;

/** Name of the frame, for the links that lead into it. */
const FRAME = 'compared-page';

/** A section of the later page, with what changed in it. */
interface ChangedSection {
  /** Text of its heading; empty in front of the first one. */
  readonly heading: string;
  /** Anchor of the heading, else the nearest one before it; empty at the beginning of the page. */
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
    <div class="compared-beside apart">
      <div class="compared-changes">
        <div class="compared">
          {changedSections(blocks, max).map(({ heading, anchor, changes }, index) => (
            <div key={index}>
              {heading !== '' && changes[0]?.[0]?.isHeading !== true && (
                <p class="compared-heading">
                  <bdi>{heading}</bdi>
                </p>
              )}
              <ul class="plain-list stack">
                {changes.map((change, at) => (
                  <li key={at}>
                    <a
                      class="card compared-change is-changed"
                      href={addressOf(anchor, change)}
                      target={FRAME}
                    >
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
        class="card compared-frame"
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

/**
 * Directives with which browsers find what changed and mark it, by block: `text=…`
 * (https://wicg.github.io/scroll-to-text-fragment/). Browsers take the first place that fits, so a text that the page also
 * has further up gets none. Headings get none either, since they have anchors.
 */
export function textDirectives(blocks: readonly ComparedBlock[]): ReadonlyMap<ComparedBlock, string> {
  const directives = new Map<ComparedBlock, string>();
  const seen = new Set<string>();
  let before = '';
  for (const block of blocks) {
    const text = beginningOf(laterText(block).trim());
    if (text === '') continue;
    const prefix = before.split(' ').slice(-MAX_PREFIX_WORDS).join(' ');
    const isKnown = text.length < MIN_ALONE || seen.has(text);
    const isLost = isKnown && (prefix === '' || seen.has(`${prefix}\n${text}`));
    if (!isLost && !block.isHeading && !isUnchanged(block.parts))
      directives.set(block, `text=${isKnown ? `${encoded(prefix)}-,` : ''}${encoded(text)}`);
    seen.add(text).add(`${prefix}\n${text}`);
    // In many pages, the sign of a heading's link follows its text.
    before = block.isHeading ? '' : laterText(block).trim();
  }
  return directives;
}

/**
 * Fragment of an address that leads to an anchor, and has browsers mark texts there.
 * Browsers without text fragments, and pages that lack the texts, show the anchor alone.
 * @param anchor empty for the beginning of the page
 */
export function fragmentOf(anchor: string, directives: readonly string[]): string {
  const shown = directives.slice(0, MAX_DIRECTIVES).join('&');
  return `#${encodeURIComponent(wellFormed(anchor))}${shown === '' ? '' : `:~:${shown}`}`;
}

/** Returns what a block says in the later page; empty when it is not there. */
function laterText({ parts }: ComparedBlock): string {
  return parts.map(({ kind, text }) => (kind === 'removed' ? '' : text)).join('');
}

/** Whole words only: browsers find no others. */
function beginningOf(text: string): string {
  return text.length <= MAX_LENGTH ? text : text.slice(0, MAX_LENGTH).replace(/\S+$/, '').trim();
}

/** A dash has a meaning of its own in a directive. */
function encoded(text: string): string {
  return encodeURIComponent(wellFormed(text)).replaceAll('-', '%2D');
}

/** Half of a surrogate pair cannot be encoded. */
function wellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, '\uFFFD');
}
