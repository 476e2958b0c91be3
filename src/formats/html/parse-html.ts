import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { OpenTags } from './open-tags.js';
import type { Budget } from './reading-limits.js';

/** Attributes of an element by lower-case name, entities decoded. */
export type Attributes = Readonly<Record<string, string>>;

/** Receiver of the parser's events. Each `open` has its `close`, unless the budget stopped parsing. */
export interface HtmlEvents {
  open(name: string, attributes: Attributes): void;
  close(): void;
  /** Part of a text: one run of text comes in several parts, split at entities. */
  text(part: string): void;
}

/** Parses HTML until its end, or until the budget says stop. Malformed HTML is read as browsers do: see `OpenTags`. */
export function parseHtml(html: string, events: HtmlEvents, budget: Budget): void {
  new TagReader(html, events, budget).read();
}

/** Makes elements of the tokens of a page. Each token comes as the indexes where it begins and ends. */
class TagReader implements TokenizerCallbacks {
  private readonly tokenizer = new Tokenizer({}, this);
  private readonly tags = new OpenTags(() => this.close());
  private isWritten = false;
  private depth = 0;
  private name = '';
  private attributes: Record<string, string> = {};
  private attribute = '';
  private value = '';

  constructor(
    private readonly html: string,
    private readonly events: HtmlEvents,
    private readonly budget: Budget,
  ) {}

  read(): void {
    this.tokenizer.write(this.html);
    this.tokenizer.write('\n'); // ends an unfinished entity
    this.isWritten = true;
    this.tokenizer.end();
  }

  isInForeignContext(): boolean {
    return this.tags.isForeign;
  }

  onopentagname(start: number, end: number): void {
    this.name = this.nameIn(start, end);
    this.attributes = {};
  }

  onattribname(start: number, end: number): void {
    this.attribute = this.nameIn(start, end);
    this.value = '';
  }

  onattribdata(start: number, end: number): void {
    this.value += this.html.slice(start, end);
  }

  onattribentity(codePoint: number): void {
    this.value += String.fromCodePoint(codePoint);
  }

  onattribend(): void {
    if (!Object.hasOwn(this.attributes, this.attribute)) this.attributes[this.attribute] = this.value;
  }

  onopentagend(): void {
    this.open(false);
  }

  onselfclosingtag(): void {
    this.open(true);
  }

  onclosetag(start: number, end: number): void {
    if (!this.goesOn()) return;
    const name = this.nameIn(start, end);
    if (this.tags.end(name) === 'alone') this.openAlone(name, {});
  }

  ontext(start: number, end: number): void {
    this.text(this.html.slice(start, end));
  }

  ontextentity(codePoint: number): void {
    this.text(String.fromCodePoint(codePoint));
  }

  oncdata(start: number, end: number, offset: number): void {
    if (this.tags.isForeign) this.text(this.html.slice(start, end - offset));
  }

  onend(): void {
    this.tags.endAll();
  }

  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}

  private open(isSelfClosing: boolean): void {
    if (!this.goesOn()) return;
    const { name, attributes } = this;
    const opened = this.tags.open(name, isSelfClosing);
    if (opened === 'alone') this.openAlone(name, attributes);
    else if (opened === 'open') this.openElement(name, attributes);
  }

  private openAlone(name: string, attributes: Attributes): void {
    this.openElement(name, attributes);
    this.close();
  }

  private openElement(name: string, attributes: Attributes): void {
    if (this.budget.stopped) return;
    this.depth += 1;
    if (this.depth <= this.budget.limits.depth) this.events.open(name, attributes);
    else this.budget.stop('depth');
  }

  private close(): void {
    if (this.budget.stopped) return;
    this.depth -= 1;
    this.events.close();
  }

  private text(part: string): void {
    // At the end the tokenizer passes an unfinished tag as text: `<a /` as `/`. Text itself was passed before.
    if (this.goesOn() && !this.isWritten) this.events.text(part);
  }

  private goesOn(): boolean {
    if (!this.budget.stopped) this.budget.checkTime();
    if (this.budget.stopped) this.tokenizer.pause();
    return !this.budget.stopped;
  }

  private nameIn(start: number, end: number): string {
    return this.html.slice(start, end).toLowerCase();
  }
}
