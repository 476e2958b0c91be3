import { PageAddress } from './page-address.js';

/** Status codes of a rule. 200 shows the target at the address that was asked for. */
export const REDIRECT_STATUSES = [200, 301, 302, 303, 307, 308] as const;
export type RedirectStatus = (typeof REDIRECT_STATUSES)[number];

/** Name of the variable that `*` fills. */
export const SPLAT = 'splat';

/** Part of a pattern: a text, or the value of a variable. */
export type Part = string | { readonly variable: string };

/** A rule of `_redirects`. */
export interface RedirectRule {
  /** Line in the file, from 1. */
  readonly line: number;
  /** Path components in the spelling of `PageAddress.stem`; a variable matches a whole component. */
  readonly from: readonly Part[];
  /** Whether anything may follow `from`: the rule ends with `/*`. */
  readonly hasSplat: boolean;
  /** Decoded path without its leading `/`, in parts to be joined. */
  readonly to: readonly Part[];
  /** Fragment with its `#`; empty without one. */
  readonly fragment: string;
  readonly status: RedirectStatus;
}

/** Target of a rule. */
export interface RedirectTarget {
  readonly page: PageAddress;
  readonly fragment: string;
  readonly status: RedirectStatus;
}

/**
 * Returns where a rule leads an address that it matches.
 * @returns undefined when the result is no path of a page
 */
export function targetOf(rule: RedirectRule, page: PageAddress): RedirectTarget | undefined {
  const { components } = page.stem;
  const values = new Map<string, string>();
  for (const [index, part] of rule.from.entries()) {
    if (typeof part !== 'string') values.set(part.variable, components[index] ?? '');
  }
  // The components as requested: `a.html` stays `a.html`.
  const rest = page.path.components.slice(rule.from.length).join('/');
  values.set(SPLAT, rest === '' || !page.isDirectory ? rest : `${rest}/`);
  const text = rule.to.map((part) => (typeof part === 'string' ? part : values.get(part.variable))).join('');
  const to = PageAddress.of(text);
  return to && { page: to, fragment: rule.fragment, status: rule.status };
}

/**
 * Returns the rule that leads from where another one leads to.
 * @returns undefined when that isn't known: `/a/* /b` leads many pages to one
 */
export function reversed({ from, hasSplat, to, line }: RedirectRule): RedirectRule | undefined {
  const components = componentsOf(to);
  if (components === undefined) return undefined;
  const endsWithSplat = namesIn(components.slice(-1)).includes(SPLAT);
  const whole = endsWithSplat ? components.slice(0, -1) : components;
  const names = namesIn(whole);
  const isKnown =
    hasSplat === endsWithSplat &&
    !names.includes(SPLAT) &&
    new Set(names).size === names.length &&
    namesIn(from).every((name) => names.includes(name));
  if (!isKnown) return undefined;
  const back = from.flatMap((part, index): Part[] => (index === 0 ? [part] : ['/', part]));
  const rest: Part[] = hasSplat ? [from.length === 0 ? '' : '/', { variable: SPLAT }] : [];
  return { line, from: whole, hasSplat, to: [...back, ...rest], fragment: '', status: 302 };
}

/** Names of the variables in parts of a pattern. */
export function namesIn(parts: readonly Part[]): readonly string[] {
  return parts.flatMap((part) => (typeof part === 'string' ? [] : [part.variable]));
}

/** The target as components in the spelling of a stem; undefined where a variable is only a part of one. */
function componentsOf(to: readonly Part[]): readonly Part[] | undefined {
  const names: string[] = [];
  // A variable becomes a component that no path has, so that the target is read like an address.
  const text = to.map((part) => (typeof part === 'string' ? part : `\u0000${names.push(part.variable)}`));
  const components = stemOf(text.join('')).map((component): Part | undefined => {
    if (!component.includes('\u0000')) return component;
    const name = names[Number(/^\u0000(\d+)$/.exec(component)?.[1]) - 1];
    return name === undefined ? undefined : { variable: name };
  });
  return components.every((part) => part !== undefined) ? components : undefined;
}

/** Splits a decoded path into components in the spelling of `PageAddress.stem`. */
export function stemOf(path: string): string[] {
  const plain = path.replace(/^\/|\/$/g, '').replace(/(^|\/)index\.html$/, '');
  if (plain === '') return [];
  const components = plain.split('/');
  const last = components.pop() ?? '';
  return [...components, last === '.html' ? last : last.replace(/\.html$/, '')];
}
