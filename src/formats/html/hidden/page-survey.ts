import type { Attributes, HtmlEvents } from '../parse-html.js';
import { effectsOf, mayHaveEffects } from './style-effects.js';
import { StyleRules } from './style-rules.js';

/** Max. characters of a page's scripts that are looked at. */
const MAX_SCRIPTS = 1_000_000;
/** Max. panels inside of panels. */
const MAX_NESTED = 16;
const SCREEN = /\b(?:all|screen)\b/i;
const SCRIPT = /^\s*(?:module|(?:text|application)\/(?:x-)?(?:java|ecma)script.*)?\s*$/i;
/** Elements whose text and controls are never there, nor their styles. */
const SKIPPED = new Set(['noscript', 'template', 'iframe', 'noembed', 'noframes']);
/** Attributes with the id or a selector of the element that a control opens. */
const TARGETS = new Set(['aria-controls', 'data-target', 'data-bs-target', 'popovertarget', 'commandfor']);
/** Attributes of controls whose `href` names the element that they open. */
const OPENERS = new Set(['data-toggle', 'data-bs-toggle']);
const HANDLER = /^on[a-z]/;
const STRINGS = /"(?:[^"\\\n]|\\.){1,200}"|'(?:[^'\\\n]|\\.){1,200}'|`(?:[^`\\]|\\.){1,200}`/g;
const WORDS = /[\p{L}\p{N}_-]+/gu;
/** Max. parts of an id that are compared with the parts from which scripts build ids. */
const MAX_PARTS = 12;
/**
 * Max. hidden parts that are remembered for one name that their controls open. All of them are looked up for each
 * element with that name, which takes a time that grows with the square of a hostile page's size.
 */
const MAX_HIDDEN_CONTROLS = 16;
/** Key of all tabs: their panels may have no id. */
const TABS = ' tab';

/** An element that its own attributes hide. */
interface HiddenPart {
  readonly number: number;
  readonly attributes: Attributes;
  readonly around: HiddenPart | undefined;
}

interface Open {
  readonly hidden: HiddenPart | undefined;
  /** Whether it is a script or a style, or is never there. */
  readonly reads: 'script' | 'style' | 'nothing' | undefined;
  /** The last element in it, if that is a control. */
  control?: Attributes | undefined;
}

/** The styles of a whole page, and its controls: elements that open others, and scripts that name them. */
export class PageSurvey implements HtmlEvents {
  readonly styles = new StyleRules();
  /**
   * The hidden part in which each control is, if it is in one, by what it opens: an id, `.class`, a label or a part of ids.
   * Hidden parts are at most `MAX_HIDDEN_CONTROLS`; a control that is in none is always there.
   */
  private readonly controls = new Map<string, Set<HiddenPart | undefined>>();
  /** Names in strings of the page's scripts. */
  private readonly named = new Set<string>();
  /** Controls by the number of the element that follows them. */
  private readonly before = new Map<number, Attributes>();
  private readonly seen = new Map<HiddenPart, boolean>();
  private readonly opened: Open[] = [];
  private number = 0;
  private style = '';
  private script = '';
  private scriptCharacters = 0;

  open(name: string, attributes: Attributes): void {
    this.number += 1;
    const around = this.opened.at(-1);
    if (around?.reads !== undefined) {
      this.opened.push(around);
      return;
    }
    const hidden = isHiddenAlone(attributes)
      ? { number: this.number, attributes, around: around?.hidden }
      : around?.hidden;
    this.opened.push({ hidden, reads: readsOf(name, attributes) });
    if (around !== undefined) {
      if (around.control !== undefined) this.before.set(this.number, around.control);
      around.control = hidden === around.hidden && isControl(name, attributes) ? attributes : undefined;
    }
    this.addControl(attributes, hidden);
  }

  close(): void {
    const closed = this.opened.pop();
    if (closed?.reads === undefined || closed === this.opened.at(-1)) return;
    if (this.style !== '') this.styles.add(this.style);
    for (const name of namesIn(this.script)) this.named.add(name);
    this.style = '';
    this.script = '';
  }

  text(part: string): void {
    const reads = this.opened.at(-1)?.reads;
    if (reads === 'style') this.style += part;
    if (reads !== 'script' || this.scriptCharacters > MAX_SCRIPTS) return;
    this.script += part;
    this.scriptCharacters += part.length;
  }

  /** Whether a control that readers can see opens an element, as far as the page itself tells. */
  isOpened(number: number, attributes: Attributes, nested = 0): boolean {
    const { id = '', role } = attributes;
    const classes = classesOf(attributes);
    if (this.named.has(id) || classes.some((word) => this.named.has(word))) return true;
    const before = this.before.get(number);
    if (before !== undefined && this.opensNext(before)) return true;
    const keys = [
      id,
      ...classes.map((word) => `.${word}`),
      ...partsOf(id).map((part) => `~${part}`),
      ...labels(attributes['aria-labelledby']),
    ];
    if (role === 'tabpanel') keys.push(TABS);
    return keys.some((key) =>
      [...(this.controls.get(key) ?? [])].some((part) => this.isSeen(part, nested + 1)),
    );
  }

  private opensNext(control: Attributes): boolean {
    if ('aria-expanded' in control || Object.keys(control).some((name) => HANDLER.test(name))) return true;
    return [control.id ?? '', ...classesOf(control)].some((word) => this.named.has(word));
  }

  /** Whether readers can come to see the direct content of a hidden part. A control in it does not open itself. */
  private isSeen(part: HiddenPart | undefined, nested: number): boolean {
    if (part === undefined) return true;
    const known = this.seen.get(part);
    if (known !== undefined || nested > MAX_NESTED) return known === true;
    this.seen.set(part, false);
    const isSeen =
      this.isSeen(part.around, nested + 1) && this.isOpened(part.number, part.attributes, nested);
    this.seen.set(part, isSeen);
    return isSeen;
  }

  private addControl(attributes: Attributes, hidden: HiddenPart | undefined): void {
    for (const name in attributes) {
      const value = attributes[name] ?? '';
      if (TARGETS.has(name)) this.addOpened(selectedBy(value), hidden);
      else if (OPENERS.has(name)) this.addOpened(selectedBy(attributes.href), hidden);
      else if (name === 'aria-expanded') this.addOpened(labels(attributes.id), hidden);
      else if (name === 'role' && value === 'tab')
        this.addOpened([TABS, ...selectedBy(attributes.href)], hidden);
      else if (HANDLER.test(name)) {
        const names = namesIn(value);
        this.addOpened(names, hidden);
        if (/\bthis\b/.test(value)) names.push(attributes.id ?? '');
        const parts = names.map(numbered).filter((part) => part !== '');
        this.addOpened(
          parts.map((part) => `~${part}`),
          hidden,
        );
      }
    }
  }

  private addOpened(names: readonly string[], hidden: HiddenPart | undefined): void {
    for (const name of names) {
      const parts = this.controls.get(name);
      if (parts === undefined) this.controls.set(name, new Set([hidden]));
      else if (hidden === undefined || parts.size < MAX_HIDDEN_CONTROLS) parts.add(hidden);
    }
  }
}

/** Whether its own attributes hide an element, without a look at styles. */
function isHiddenAlone({ hidden, popover, style }: Attributes): boolean {
  if ((hidden !== undefined && hidden !== 'until-found') || popover !== undefined) return true;
  return (
    style !== undefined && mayHaveEffects(style) && [...effectsOf(style).values()].some(({ hides }) => hides)
  );
}

function readsOf(name: string, { type = '', media = 'screen' }: Attributes): Open['reads'] {
  if (name === 'script') return SCRIPT.test(type) ? 'script' : 'nothing';
  if (name === 'style') return SCREEN.test(media) ? 'style' : 'nothing';
  return SKIPPED.has(name) ? 'nothing' : undefined;
}

/** Whether an element may open the next one. */
function isControl(name: string, attributes: Attributes): boolean {
  if (name === 'button' || attributes.role === 'button' || 'aria-expanded' in attributes) return true;
  return 'onclick' in attributes;
}

export function classesOf({ class: classes = '' }: Attributes): string[] {
  return classes.split(/\s+/).filter((word) => word !== '');
}

/** `#a, .b` -> `a`, `.b` */
function selectedBy(target = ''): string[] {
  return target
    .split(/[\s,]+/)
    .map((name) => name.replace(/^#/, ''))
    .filter((name) => name !== '');
}

/** Names of panels whose `aria-labelledby` has one of these ids: a control with `aria-expanded` opens what it labels. */
function labels(ids = ''): string[] {
  return selectedBy(ids).map((id) => ` by ${id}`);
}

/** Names in the strings of a script: each whole string, and its words. */
function namesIn(script: string): string[] {
  return (script.match(STRINGS) ?? []).flatMap((quoted) => {
    const text = quoted.slice(1, -1);
    return [text.replace(/^[#.]/, ''), ...(text.match(WORDS) ?? [])];
  });
}

/** Parts of an id that has a number: `row_0_1_` has `0`, `0_1`, `row_0` … Doxygen's scripts put such ids together. */
function partsOf(id: string): string[] {
  if (numbered(id) === '') return [];
  const words = numbered(id).split('_').slice(0, MAX_PARTS);
  return words.flatMap((_, from) =>
    words.slice(from).map((__, length) => words.slice(from, from + length + 1).join('_')),
  );
}

/** `0_1_` -> `0_1`; empty for what has no number. */
function numbered(name: string): string {
  return /\d/.test(name) ? (name.match(/[a-z0-9]+/gi) ?? []).join('_') : '';
}
