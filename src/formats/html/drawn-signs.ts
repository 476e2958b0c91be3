/** Characters of text, without white space, from which on a page has text of its own: more than `Loading, please wait …`. */
const MIN_TEXT = 60;
/** A page of frames has its text elsewhere. */
const HEADING = /^(?:h[1-6]|frameset)$/;

/** Signs that scripts draw a page: it has some, and almost no text of its own. */
export class DrawnSigns {
  hasScripts = false;
  private hasHeadings = false;
  private characters = 0;

  get areThere(): boolean {
    return this.hasScripts && !this.hasHeadings && this.needsText;
  }

  /** Whether more text would tell anything. */
  get needsText(): boolean {
    return this.characters < MIN_TEXT;
  }

  /** Takes the name of an element that is shown. */
  open(name: string): void {
    if (HEADING.test(name)) this.hasHeadings = true;
  }

  /** Takes text that is shown. */
  text(part: string): void {
    if (this.needsText) this.characters += part.replace(/\s+/g, '').length;
  }
}
