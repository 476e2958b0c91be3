import { encodedComponent } from '../../domain/site-path.js';
import { isPlainObject } from '../json.js';

/** A page that a script draws, as HTML. */
export interface DrawnPage {
  /** Path, as `isDrawn` describes it. */
  readonly path: string;
  readonly title: string;
  readonly html: string;
}

/** Parsers for the files of drawn sites. Texts are untrusted. */
export interface DocumentParsers {
  /** @throws Error for invalid YAML, or YAML that is nested too deeply */
  yaml(text: string): unknown;
  /**
   * Returns Markdown as HTML. HTML in it stays unchanged.
   * @param headingOf returns the text and the id of a heading; takes its Markdown
   */
  markdown(text: string, headingOf?: (text: string) => Heading): string;
}

export interface Heading {
  readonly text: string;
  /** Absent if the viewer may use another one. */
  readonly id?: string;
}

/** Max. characters of a title, a name or an id. Longer ones are left out. */
const MAX_NAME = 500;

/** Max. brackets and commas of JSON: each may be a value, which takes some 50 bytes of memory. Real files of 10 MB have fewer. */
const MAX_SIGNS = 600_000;
const SIGNS = new Set(Array.from('[{,', (sign) => sign.charCodeAt(0)));

/** @throws Error for invalid JSON, or JSON with too many values */
export function jsonIn(text: string): unknown {
  let signs = 0;
  for (let at = 0; at < text.length; at += 1) if (SIGNS.has(text.charCodeAt(at))) signs += 1;
  if (signs > MAX_SIGNS) throw new Error('has too many values');
  return JSON.parse(text);
}

/** @param main HTML below the title */
export function drawnPage(path: string, title: string, main: string): DrawnPage {
  const text = escaped(title);
  return { path, title, html: `<!doctype html><title>${text}</title><main>${main}</main>` };
}

export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A part of an address: nothing in it can end a link in HTML or Markdown, or lead to another host. */
export function encoded(text: string): string {
  return encodedComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** A name in JSON; undefined for any other value, an empty text, or more than `MAX_NAME` characters. */
export function nameIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= MAX_NAME ? value : undefined;
}

export function textIn(value: unknown, maxLength: number): string {
  return typeof value === 'string' ? value.slice(0, maxLength) : '';
}

/** The fields of an object in JSON; empty for any other value. */
export function fieldsIn(value: unknown): Readonly<Record<string, unknown>> {
  return isPlainObject(value) ? value : {};
}

export function arrayIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
