import {
  type Aspect,
  type Effect,
  type Effects,
  effectsOf,
  mayHaveEffects,
  plainCss,
} from './style-effects.js';

/** Max. characters of a page's styles that are looked at. */
export const MAX_STYLES = 1_000_000;
/** A piece of CSS and what ends it, or the end. Never fails, so that its time is linear. */
const PIECE = /((?:[^{};"'()]+|"[^"]*"?|'[^']*'?|\([^)]*\)?|\))*)([{};]|$)/g;
/** `.class`, `#id`, or either with the name of an element. */
const SIMPLE = /^[a-z0-9]*[.#][^\s.#:>+~*,[\]()]+$/i;
const PRINT = /^@media\s+print\b/i;
const BETWEEN = /[\s>+~]+/;
const NAMES = /[.#][^\s.#:>+~*,[\]()]+/g;

/** The effect of rules with one class or id as their selector. */
interface RankedEffect extends Effect {
  /** An id outranks a class, and a later rule an earlier one. */
  readonly rank: number;
}

type RankedEffects = ReadonlyMap<Aspect, RankedEffect>;

const NONE: RankedEffects = new Map();

interface Block {
  /** Empty for an at-rule. */
  readonly selector: string;
  /** Whether the rule counts at all times: it is in no other one. */
  readonly isPlain: boolean;
  /** Whether it counts on paper only. */
  readonly isPrinted: boolean;
  readonly declarations: string[];
}

/** The rules of a page's own `<style>` elements that decide whether text is seen. */
export class StyleRules {
  private readonly rules = new Map<string, Map<Aspect, RankedEffect>>();
  private readonly shown = new Map<string, Set<Aspect>>();
  private characters = 0;
  private count = 0;

  /** Whether no rule hides anything. */
  isEmpty = true;
  /** Classes and ids that have rules, without their signs. */
  readonly names = new Set<string>();

  /** Adds the text of a `<style>`. */
  add(css: string): void {
    const text = plainCss(css.slice(0, MAX_STYLES - this.characters)).replace(/<!--|-->/g, ' ');
    this.characters += css.length;
    const blocks: Block[] = [];
    for (const [, piece = '', end] of text.matchAll(PIECE)) {
      const block = blocks.at(-1);
      if (end === '{') {
        const prelude = piece.trim();
        const isAtRule = prelude.startsWith('@');
        const isPlain = block === undefined && !isAtRule;
        const isPrinted = block?.isPrinted === true || PRINT.test(prelude);
        blocks.push({ selector: isAtRule || isPrinted ? '' : prelude, isPlain, isPrinted, declarations: [] });
      } else {
        block?.declarations.push(piece);
        if (end === '}') this.close(blocks.pop());
      }
    }
    for (const block of blocks.reverse()) this.close(block);
  }

  /** The effects of rules with this selector: `.class`, `p.class`, `#id` or `p#id`. */
  effectsFor(selector: string): RankedEffects {
    return this.rules.get(selector) ?? NONE;
  }

  /** Whether a rule for some state, such as `.open .x` or `.x:target`, shows what has this class or id. */
  isShown(selector: string, aspect: Aspect): boolean {
    return this.shown.get(selector)?.has(aspect) === true;
  }

  private close(block: Block | undefined): void {
    if (block === undefined || block.selector === '') return;
    const declarations = block.declarations.join(';');
    const effects = mayHaveEffects(declarations) ? effectsOf(declarations) : undefined;
    if (effects === undefined || effects.size === 0) return;
    for (const part of block.selector.split(',')) {
      const selector = part.trim();
      if (block.isPlain && SIMPLE.test(selector)) this.addRule(selector, effects);
      else this.addShown(selector, effects);
    }
  }

  private addRule(selector: string, effects: Effects): void {
    if ([...effects.values()].some(({ hides }) => hides)) this.isEmpty = false;
    this.names.add(selector.slice(selector.search(/[.#]/) + 1));
    this.count += 1;
    const rank = (selector.includes('#') ? 1e9 : 0) + this.count;
    const all = this.rules.get(selector) ?? new Map<Aspect, RankedEffect>();
    for (const [aspect, effect] of effects) {
      if (all.get(aspect)?.isImportant === true && !effect.isImportant) continue;
      all.set(aspect, { ...effect, rank });
    }
    this.rules.set(selector, all);
  }

  private addShown(selector: string, effects: Effects): void {
    const shows = [...effects].filter(([, { hides }]) => !hides).map(([aspect]) => aspect);
    if (shows.length === 0) return;
    for (const name of selector.split(BETWEEN).at(-1)?.match(NAMES) ?? []) {
      const aspects = this.shown.get(name) ?? new Set();
      for (const aspect of shows) aspects.add(aspect);
      this.shown.set(name, aspects);
    }
  }
}
