import { type Attributes, parseHtml } from '../parse-html.js';
import type { Budget } from '../reading-limits.js';
import { ownString } from '../text-run.js';
import { classesOf, PageSurvey } from './page-survey.js';
import { type Aspect, type Effect, effectsOf, mayHaveEffects } from './style-effects.js';
import { MAX_STYLES, StyleRules } from './style-rules.js';

/** Parts of an element that readers can never see. */
interface Sight {
  /** Whether all of it is hidden, whatever the elements in it say. */
  readonly isGone: boolean;
  /** Whether its visibility or its size hides text in it; undefined: inherited. */
  readonly visibility?: boolean | undefined;
  readonly size?: boolean | undefined;
}

/** Ways to hide an element with all that is in it. */
const WHOLE: readonly Aspect[] = ['display', 'content-visibility', 'opacity', 'place'];
/** Ranks of other sources than rules: the attribute `style`, `!important`, and the attribute `hidden`. */
const INLINE = 1e10;
const IMPORTANT = 1e12;
const HIDDEN = 0;
/** Elements that count as shown, whatever their styles: scripts often hide them until they have run. */
const WHOLE_PAGE = new Set(['html', 'body']);

/** The effect that counts, by its way. */
type Winners = Map<Aspect, { readonly rank: number; readonly hides: boolean }>;

/**
 * Tells which elements of a page hide text for good: by the attributes `hidden` and `style`, or by a `<style>` of the
 * page. Content that a control of the page opens counts as seen. Only a page that hides something is surveyed, once.
 */
export class HiddenText {
  private surveyed: PageSurvey | undefined;
  private readonly rough: StyleRules;

  /** @param budget makes a budget for parsing the page once more */
  constructor(
    private readonly html: string,
    private readonly budget: () => Budget,
  ) {
    this.rough = roughStylesOf(html);
  }

  /** Whether an element may hide text, or show text in one that does. Takes next to no time. */
  mayHide(name: string, attributes: Attributes): boolean {
    const { style, hidden, popover, role } = attributes;
    if (WHOLE_PAGE.has(name)) return false;
    if (hidden !== undefined || popover !== undefined || role === 'tabpanel') return true;
    if (style !== undefined && mayHaveEffects(style)) return true;
    if (this.rough.isEmpty) return false;
    const { names } = this.rough;
    const { id, class: classes } = attributes;
    if (id !== undefined && names.has(id)) return true;
    if (classes === undefined) return false;
    return (
      names.has(classes) || (/\s/.test(classes) && classesOf(attributes).some((word) => names.has(word)))
    );
  }

  /** @param number of the element in the page, from 1; elements that are left out count, too */
  sightOf(number: number, name: string, attributes: Attributes): Sight {
    const winners = this.winnersFor(name, attributes);
    const hides = (aspect: Aspect) => winners.get(aspect)?.hides;
    const isGone = WHOLE.some(hides);
    const sight = { isGone, visibility: hides('visibility'), size: hides('font-size') };
    const isHidden = isGone || sight.visibility === true || sight.size === true;
    if (!isHidden || !this.survey.isOpened(number, attributes)) return sight;
    return { isGone: false, visibility: sight.visibility && undefined, size: sight.size && undefined };
  }

  private winnersFor(name: string, attributes: Attributes): Winners {
    const winners: Winners = new Map();
    const add = (aspect: Aspect, { hides, isImportant }: Effect, rank: number) => {
      const all = rank + (isImportant ? IMPORTANT : 0);
      if (all >= (winners.get(aspect)?.rank ?? 0)) winners.set(aspect, { rank: all, hides });
    };
    if (isHiddenByAttribute(attributes)) winners.set('display', { rank: HIDDEN, hides: true });
    if (!this.rough.isEmpty) {
      const { styles } = this.survey;
      const selectors = selectorsOf(name, attributes);
      for (const selector of selectors)
        for (const [aspect, effect] of styles.effectsFor(selector)) add(aspect, effect, effect.rank);
      for (const [aspect, { hides }] of winners) {
        if (hides && selectors.some((selector) => styles.isShown(selector, aspect))) winners.delete(aspect);
      }
    }
    const { style } = attributes;
    if (style !== undefined && mayHaveEffects(style)) {
      for (const [aspect, effect] of effectsOf(style)) add(aspect, effect, INLINE);
    }
    return winners;
  }

  private get survey(): PageSurvey {
    if (this.surveyed === undefined) {
      this.surveyed = new PageSurvey();
      parseHtml(this.html, this.surveyed, this.budget());
    }
    return this.surveyed;
  }
}

/** An element with `aria-hidden` is left out anyway, unless it is a panel that a tab may open. */
function isHiddenByAttribute(attributes: Attributes): boolean {
  const { hidden, popover } = attributes;
  if (hidden !== undefined && hidden !== 'until-found') return true;
  return popover !== undefined || attributes['aria-hidden'] === 'true';
}

/** Selectors of rules for an element: `.x`, `p.x`, `#y`, `p#y`. */
function selectorsOf(name: string, attributes: Attributes): string[] {
  const names = classesOf(attributes).map((word) => `.${word}`);
  if (attributes.id) names.push(`#${attributes.id}`);
  return names.flatMap((each) => [each, name + each]);
}

/** The rules of the last page: pages of a site often share them. */
let kept = { css: '', rules: new StyleRules() };

/** The rules of everything that looks like a `<style>`, even in a comment or a script. */
function roughStylesOf(html: string): StyleRules {
  const css = roughCssOf(html).slice(0, MAX_STYLES);
  if (css === kept.css) return kept.rules;
  kept = { css: ownString(css), rules: new StyleRules() };
  kept.rules.add(kept.css);
  return kept.rules;
}

function roughCssOf(html: string): string {
  const starts = /<style[\s>]/gi;
  const ends = /<\/style/gi;
  const found: string[] = [];
  while (starts.test(html)) {
    const from = html.indexOf('>', starts.lastIndex - 1) + 1;
    if (from === 0) break;
    ends.lastIndex = from;
    const to = ends.exec(html)?.index;
    found.push(html.slice(from, to));
    if (to === undefined) break;
    starts.lastIndex = to;
  }
  return found.join('\n');
}
