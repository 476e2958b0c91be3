import type { ContentEvents } from '../content-reader.js';
import { AnchorFinder, isLinkSign, isUnseenHeading, levelOf } from '../headings.js';
import { BLOCKS, type OpenElement } from '../open-element.js';
import type { Budget } from '../reading-limits.js';
import { cutOff, TextRun } from '../text-run.js';
import type { Section } from './page-text.js';

const MAX_HEADING = 500;

/** Elements whose text is a word of its own. */
const CELLS = new Set(['td', 'th', 'option', 'legend', 'img']);

interface OpenSection {
  readonly heading: string;
  readonly level: number;
  readonly anchor: string | undefined;
  readonly text: TextRun;
}

interface OpenHeading {
  readonly element: OpenElement;
  readonly level: number;
  readonly text: TextRun;
}

/** Divides the content of a page into sections, at `h1` to `h6` and at terms that have an id. */
export class SectionCollector implements ContentEvents {
  private readonly closed: OpenSection[] = [];
  private section: OpenSection = { heading: '', level: 0, anchor: undefined, text: new TextRun() };
  private heading: OpenHeading | undefined;
  private readonly anchors = new AnchorFinder();
  private preformatted = 0;
  private characters = 0;

  /** @param keepsCode whether text in `pre` keeps its spaces and blank lines */
  constructor(
    private readonly budget: Budget,
    private readonly keepsCode = false,
  ) {}

  open(element: OpenElement): void {
    const level = levelOf(element);
    if (level !== undefined && this.heading === undefined) {
      this.anchors.openHeading(element);
      this.heading = { element, level, text: new TextRun() };
    } else {
      this.anchors.open(element);
    }
    if (element.name === 'pre') this.preformatted += 1;
    if (element.name === 'br' && this.keepsCode && this.preformatted > 0) this.section.text.codeBreak();
    this.separate(element);
  }

  close(element: OpenElement): void {
    if (element.name === 'pre') this.preformatted -= 1;
    if (element === this.heading?.element) this.closeHeading(this.heading);
    this.separate(element);
  }

  text(part: string, element: OpenElement | undefined): void {
    if (this.heading !== undefined && isLinkSign(part, element)) return;
    const room = Math.max(0, this.budget.limits.characters - this.characters);
    if (this.heading !== undefined) this.characters += this.heading.text.add(part, room);
    else this.characters += this.addToSection(part, room);
    this.checkCharacters();
  }

  /** The sections of the page, once it is read. */
  sections(): Section[] {
    if (this.heading !== undefined) this.closeHeading(this.heading);
    return [...this.closed, this.section]
      .filter(({ heading, text }) => heading !== '' || !text.isEmpty)
      .map(({ anchor, text, ...section }) => ({
        ...section,
        ...(anchor === undefined ? {} : { anchor }),
        text: String(text),
      }));
  }

  private addToSection(part: string, room: number): number {
    const { text } = this.section;
    const addCode = () => (this.keepsCode ? text.addCode(part, room) : text.addLines(part, room));
    const added = this.preformatted === 0 ? text.add(part, room) : addCode();
    if (added > 0) this.anchors.text();
    return added;
  }

  private separate({ name }: OpenElement): void {
    if (BLOCKS.has(name)) {
      if (this.heading !== undefined) this.heading.text.space();
      else if (this.preformatted > 0 && name !== 'pre') this.section.text.codeLine();
      else this.section.text.lineBreak();
    } else if (CELLS.has(name)) {
      (this.heading ?? this.section).text.space();
    }
  }

  private closeHeading({ element, text, level }: OpenHeading): void {
    this.heading = undefined;
    const anchor = this.anchors.closeHeading();
    const whole = String(text) || (isUnseenHeading(element) && anchor) || '';
    if (whole === '') return;
    if (text.isEmpty) this.characters += whole.length;
    if (this.closed.length + 1 >= this.budget.limits.sections) {
      this.budget.cut.add('sections');
      this.section.text.lineBreak();
      this.characters += this.section.text.add(whole, Infinity) - whole.length;
      return;
    }
    this.closed.push(this.section);
    const heading = cutOff(whole, MAX_HEADING);
    this.section = { heading, level, anchor, text: new TextRun() };
    this.section.text.add(whole.slice(heading.length), Infinity);
    this.characters += anchor?.length ?? 0;
    this.checkCharacters();
  }

  private checkCharacters(): void {
    if (this.characters >= this.budget.limits.characters) this.budget.stop('characters');
  }
}
