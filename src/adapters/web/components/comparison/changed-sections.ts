import type { ComparedBlock } from '../../../../application/index.js';
import { isUnchanged } from './blocks.js';
import { laterText } from './text-fragments.js';

/** A section of the later page, with what changed in it. */
export interface ChangedSection {
  /** Text of its heading; empty in front of the first one. */
  readonly heading: string;
  /** Its anchor, else the nearest one before it; empty at the beginning of the page. */
  readonly anchor: string;
  /** The changes, each of blocks without an unchanged one between them. */
  readonly changes: readonly (readonly ComparedBlock[])[];
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
