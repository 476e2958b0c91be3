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

/** Receiver of the tags of a page as they are written, whichever elements browsers make of them. */
export interface TagEvents {
  /** Names of the attributes that are read. */
  readonly attributes: ReadonlySet<string>;
  start(name: string, attributes: Attributes): void;
  end(name: string): void;
  /** See `HtmlEvents`. */
  text(part: string): void;
  /** Whether `text` is called for now. */
  readonly readsText: boolean;
}

/** Reads the tags of a page until its end, or until the budget says stop. */
export function readTags(html: string, events: TagEvents, budget: Budget): void {
  new WrittenTags(html, events, budget).read();
}

/** Reads the tokens of a page. Each comes as the indexes where it begins and ends. */
abstract class TokenReader implements TokenizerCallbacks {
  private readonly tokenizer = new Tokenizer({}, this);
  private isWritten = false;
  protected name = '';
  protected attributes: Record<string, string> = {};
  private attribute: string | undefined;
  private value = '';

  constructor(
    protected readonly html: string,
    protected readonly budget: Budget,
  ) {}

  /** Whether an attribute is read. */
  protected abstract isRead(attribute: string): boolean;
  protected abstract open(isSelfClosing: boolean): void;
  protected abstract end(name: string): void;
  /** Whether texts are read now. */
  protected abstract readsText(): boolean;
  protected abstract takeText(part: string): void;
  abstract isInForeignContext(): boolean;

  read(): void {
    this.tokenizer.write(this.html);
    this.tokenizer.write('\n'); // ends an unfinished entity
    this.isWritten = true;
    this.tokenizer.end();
  }

  onopentagname(start: number, end: number): void {
    this.name = this.nameIn(start, end);
    this.attributes = {};
  }

  onattribname(start: number, end: number): void {
    const name = this.nameIn(start, end);
    this.attribute = this.isRead(name) && !Object.hasOwn(this.attributes, name) ? name : undefined;
    this.value = '';
  }

  onattribdata(start: number, end: number): void {
    if (this.attribute !== undefined) this.value += this.html.slice(start, end);
  }

  onattribentity(codePoint: number): void {
    this.value += String.fromCodePoint(codePoint);
  }

  onattribend(): void {
    if (this.attribute !== undefined) this.attributes[this.attribute] = this.value;
  }

  onopentagend(): void {
    this.open(false);
  }

  onselfclosingtag(): void {
    this.open(true);
  }

  onclosetag(start: number, end: number): void {
    if (this.goesOn()) this.end(this.nameIn(start, end));
  }

  ontext(start: number, end: number): void {
    if (this.readsText()) this.text(this.html.slice(start, end));
    else this.goesOn();
  }

  ontextentity(codePoint: number): void {
    this.text(String.fromCodePoint(codePoint));
  }

  oncdata(start: number, end: number, offset: number): void {
    if (this.isInForeignContext()) this.text(this.html.slice(start, end - offset));
  }

  onend(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}

  private text(part: string): void {
    // At the end the tokenizer passes an unfinished tag as text: `<a /` as `/`. Text itself was passed before.
    if (this.goesOn() && !this.isWritten) this.takeText(part);
  }

  protected goesOn(): boolean {
    if (!this.budget.stopped) this.budget.checkTime();
    if (this.budget.stopped) this.tokenizer.pause();
    return !this.budget.stopped;
  }

  private nameIn(start: number, end: number): string {
    return this.html.slice(start, end).toLowerCase();
  }
}

class WrittenTags extends TokenReader {
  constructor(
    html: string,
    private readonly events: TagEvents,
    budget: Budget,
  ) {
    super(html, budget);
  }

  isInForeignContext(): boolean {
    return false;
  }

  protected isRead(attribute: string): boolean {
    return this.events.attributes.has(attribute);
  }

  protected open(): void {
    if (this.goesOn()) this.events.start(this.name, this.attributes);
  }

  protected end(name: string): void {
    this.events.end(name);
  }

  protected readsText(): boolean {
    return this.events.readsText;
  }

  protected takeText(part: string): void {
    this.events.text(part);
  }
}

/** Makes elements of the tokens of a page. */
class TagReader extends TokenReader {
  private readonly tags = new OpenTags(() => this.close());
  private depth = 0;

  constructor(
    html: string,
    private readonly events: HtmlEvents,
    budget: Budget,
  ) {
    super(html, budget);
  }

  isInForeignContext(): boolean {
    return this.tags.isForeign;
  }

  override onend(): void {
    this.tags.endAll();
  }

  protected isRead(): boolean {
    return true;
  }

  protected open(isSelfClosing: boolean): void {
    if (!this.goesOn()) return;
    const { name, attributes } = this;
    const opened = this.tags.open(name, isSelfClosing);
    if (opened === 'alone') this.openAlone(name, attributes);
    else if (opened === 'open') this.openElement(name, attributes);
  }

  protected end(name: string): void {
    if (this.tags.end(name) === 'alone') this.openAlone(name, {});
  }

  protected readsText(): boolean {
    return true;
  }

  protected takeText(part: string): void {
    this.events.text(part);
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
}
