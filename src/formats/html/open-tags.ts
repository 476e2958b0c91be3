/** Kinds of elements in the rules of the HTML standard, as bits. */
const Kind = {
  special: 1,
  scope: 2,
  formatting: 4,
  closesP: 8,
  void: 16,
  heading: 32,
  breaksOut: 64,
  integration: 128,
};

const KINDS = new Map<string, number>();
const NAMES: Readonly<Record<keyof typeof Kind, string>> = {
  special:
    'address applet area article aside base basefont bgsound blockquote body br button caption center col colgroup dd ' +
    'details dialog dir div dl dt embed fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head ' +
    'header hgroup hr html iframe img input li link listing main marquee menu meta nav noembed noframes noscript ' +
    'object ol p param plaintext pre script search section select source style summary table tbody td template ' +
    'textarea tfoot th thead title tr track ul wbr xmp',
  scope:
    'applet caption html table td th marquee object select template mi mo mn ms mtext foreignobject desc',
  formatting: 'a b big code em font i nobr s small strike strong tt u',
  closesP:
    'address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form header ' +
    'hgroup hr listing main menu nav ol p plaintext pre search section summary table ul xmp h1 h2 h3 h4 h5 h6 li dd dt',
  void: 'area base basefont bgsound br col embed frame hr img input link meta param source track wbr',
  heading: 'h1 h2 h3 h4 h5 h6',
  breaksOut:
    'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta ' +
    'nobr ol p pre ruby s small span strike strong sub sup table tt u ul var',
  integration: 'mi mo mn ms mtext annotation-xml foreignobject desc title',
};
for (const [kind, names] of Object.entries(NAMES)) {
  for (const name of names.split(' ')) {
    KINDS.set(name, (KINDS.get(name) ?? 0) | Kind[kind as keyof typeof Kind]);
  }
}

const SECTIONS = ['tbody', 'thead', 'tfoot'];
const ROWS = [...SECTIONS, 'tr'];
/** Parts of a table, with the parts of a table that may be around each. */
const TABLE_PARTS = new Map<string, readonly string[]>([
  ['td', ROWS],
  ['th', ROWS],
  ['tr', SECTIONS],
  ...[...SECTIONS, 'caption', 'colgroup'].map((name) => [name, []] as const),
]);
/** Start tags that close such elements, where the last open element is one of them. */
const LAST = new Map<string, readonly string[]>([
  ['option', ['option']],
  ['optgroup', ['option', 'optgroup']],
  ['rt', ['rb', 'rp', 'rt']],
  ['rp', ['rb', 'rp', 'rt']],
]);
const TERMS = ['dd', 'dt'];
const HEADINGS = NAMES.heading.split(' ');

interface OpenTag {
  readonly name: string;
  readonly kind: number;
  /** Whether it is an element of SVG or MathML. */
  readonly isForeign: boolean;
  /** Whether tags in it are read as SVG or MathML. */
  readonly holdsForeign: boolean;
  /** Whether the end tag came while an element inside was still open: `<b><p></b>`. */
  isEnded: boolean;
}

/** Returns whether a search among the open elements ends at this one. */
type Bound = (tag: OpenTag) => boolean;
const scope: Bound = ({ kind }) => (kind & Kind.scope) !== 0;
const buttonScope: Bound = ({ name, kind }) => (kind & Kind.scope) !== 0 || name === 'button';
const listScope: Bound = ({ name, kind }) => (kind & Kind.scope) !== 0 || name === 'ul' || name === 'ol';
const tableScope: Bound = ({ name }) => name === 'table' || name === 'template';
const blocks: Bound = ({ kind, isForeign }) => !isForeign && (kind & Kind.special) !== 0;
const blocksAroundItems: Bound = ({ name, kind }) =>
  (kind & Kind.special) !== 0 && name !== 'address' && name !== 'div' && name !== 'p';

/**
 * The open elements of a page: which ones a tag opens and closes, as browsers do (HTML standard, 13.2.6 Tree construction).
 * Elements come in the order of the source, and once: none is moved out of a table, none is opened again in the next
 * paragraph, and none without a tag is made.
 */
export class OpenTags {
  private readonly stack: OpenTag[] = [];
  private paragraphs = 0;

  /** @param closed called for each element that is closed */
  constructor(private readonly closed: () => void) {}

  /** Whether the next tag is read as SVG or MathML. */
  get isForeign(): boolean {
    return this.stack.at(-1)?.holdsForeign === true;
  }

  /** Closes what a start tag ends. `ignored`: it has no element. `alone`: nothing comes in its element. */
  open(name: string, isSelfClosing: boolean): 'ignored' | 'alone' | 'open' {
    const kind = KINDS.get(name) ?? 0;
    if (this.isForeign) {
      if ((kind & Kind.breaksOut) === 0) return isSelfClosing ? 'alone' : this.push(name, kind);
      while (this.isForeign) this.pop();
    }
    if (!this.makeRoom(name, kind)) return 'ignored';
    if ((kind & Kind.void) !== 0) return 'alone';
    // The attributes of a second `<body>` are those of the first.
    if ((name === 'body' || name === 'html') && this.find([name], scope) >= 0) return 'alone';
    if (isSelfClosing && (name === 'svg' || name === 'math')) return 'alone';
    return this.push(name, kind);
  }

  /** Closes the elements that an end tag ends. `alone`: it means an empty element. */
  end(name: string): 'closed' | 'alone' {
    const kind = KINDS.get(name) ?? 0;
    if (name === 'br' || (name === 'p' && this.findParagraph() < 0)) return 'alone';
    if (name === 'body' || name === 'html') return 'closed';
    if (name === 'form' || (kind & Kind.formatting) !== 0) this.endInPlace(name);
    else if (name === 'table' || TABLE_PARTS.has(name)) this.popTo(this.find([name], tableScope));
    else if ((kind & Kind.heading) !== 0) this.popTo(this.find(HEADINGS, scope));
    else if ((kind & Kind.special) !== 0) this.popTo(this.find([name], name === 'li' ? listScope : scope));
    else this.popTo(this.find([name], blocks));
    return 'closed';
  }

  /** Closes all, at the end of the page. */
  endAll(): void {
    this.popTo(0);
  }

  /** Closes what cannot go on before an element. False: the element cannot stand here. */
  private makeRoom(name: string, kind: number): boolean {
    const last = LAST.get(name);
    const around = TABLE_PARTS.get(name);
    if (last !== undefined) this.popWhile(last);
    else if (around !== undefined) return this.makeRoomInTable(around);
    else if (name === 'a') this.endInPlace(name);
    else if (name === 'li') this.popTo(this.find([name], blocksAroundItems));
    else if (name === 'dd' || name === 'dt') this.popTo(this.find(TERMS, blocksAroundItems));
    else if (name === 'button' || name === 'select') this.popTo(this.find([name], scope));
    else if (name === 'form' && this.find([name], scope) >= 0) return false;
    else if (name === 'body') this.popTo(this.find(['head'], scope));
    // The next table is not in this one, unless in a cell.
    else if (name === 'table') this.popTo(this.find([name], scope));
    if ((kind & Kind.closesP) !== 0) this.popTo(this.findParagraph());
    if ((kind & Kind.heading) !== 0 && HEADINGS.includes(this.stack.at(-1)?.name ?? '')) this.pop();
    return true;
  }

  private makeRoomInTable(around: readonly string[]): boolean {
    const table = this.find(['table'], tableScope);
    if (table < 0) return false;
    let at = table + 1;
    while (around.includes(this.stack[at]?.name ?? '')) at += 1;
    this.popTo(at);
    return true;
  }

  /** Ends the last element of a name. It goes on, ended, where a block in it does. */
  private endInPlace(name: string): void {
    let goesOn = false;
    for (let at = this.stack.length - 1; at >= 0; at -= 1) {
      const each = this.stack[at] as OpenTag;
      if (each.name === name && !each.isEnded) {
        each.isEnded = goesOn;
        if (!goesOn) this.popTo(at);
        return;
      }
      if (scope(each)) return;
      goesOn ||= blocks(each);
    }
  }

  private findParagraph(): number {
    return this.paragraphs === 0 ? -1 : this.find(['p'], buttonScope);
  }

  /** Index of the last element with one of the names, within bounds; -1: there is none. */
  private find(names: readonly string[], isBound: Bound): number {
    for (let at = this.stack.length - 1; at >= 0; at -= 1) {
      const each = this.stack[at] as OpenTag;
      if (names.includes(each.name)) return at;
      if (isBound(each)) return -1;
    }
    return -1;
  }

  private popWhile(names: readonly string[]): void {
    while (names.includes(this.stack.at(-1)?.name ?? '')) this.pop();
  }

  /** Closes the element with an index and all in it; none for -1. */
  private popTo(at: number): void {
    while (at >= 0 && this.stack.length > at) this.pop();
  }

  private pop(): void {
    do {
      if (this.stack.pop()?.name === 'p') this.paragraphs -= 1;
      this.closed();
    } while (this.stack.at(-1)?.isEnded === true);
  }

  private push(name: string, kind: number): 'open' {
    const isForeign = this.isForeign || name === 'svg' || name === 'math';
    const holdsForeign = isForeign && (kind & Kind.integration) === 0;
    this.stack.push({ name, kind, isForeign, holdsForeign, isEnded: false });
    if (name === 'p') this.paragraphs += 1;
    return 'open';
  }
}
