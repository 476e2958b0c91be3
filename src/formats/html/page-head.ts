import type { Attributes } from './parse-html.js';
import { cutOff, TextRun } from './text-run.js';

/** Max. characters of a title. */
export const MAX_TITLE = 500;
const LANGUAGE = /^[a-z]{2,8}(-[a-z0-9]{1,8}){0,4}$/i;
/** Longest delay in seconds after which a page that leads elsewhere still is a mere redirect. */
const MAX_REDIRECT_DELAY = 5;

/** Scripts of Haddock, which writes no `<meta name=generator>`; the second is that of its source listings. */
const HADDOCK = /(?:^|\/)haddock-(?:bundle\.min|util)\.js$|^highlight\.js$/;

/** Metadata of a page: `<html lang>`, `<title>` and `<meta>`. The first of each counts. */
export class PageHead {
  language: string | undefined;
  noindex = false;
  redirects = false;
  /** Address of `<meta http-equiv=refresh>`, with any delay. */
  leadsTo: string | undefined;
  readonly generators: string[] = [];
  private title: TextRun | undefined;
  private readingTitle = false;
  private titleRoom = MAX_TITLE;

  /** Called for every element outside of scripts, `noscript` and the like. */
  open(name: string, attributes: Attributes): void {
    if (name === 'html') this.setLanguage(attributes.lang ?? attributes['xml:lang']);
    else if (name === 'meta') this.readMeta(attributes);
    else if (name === 'script' && HADDOCK.test(attributes.src ?? '')) this.addGenerator('Haddock');
    else if (name === 'title' && this.title === undefined) {
      this.title = new TextRun();
      this.readingTitle = true;
    }
  }

  /** Called for text that is not shown. */
  text(part: string): void {
    if (!this.readingTitle || this.titleRoom === 0) return;
    this.titleRoom -= this.title?.add(part, this.titleRoom) ?? 0;
  }

  closeTitle(): void {
    this.readingTitle = false;
  }

  get titleText(): string {
    return String(this.title ?? '');
  }

  private addGenerator(name: string): void {
    if (this.generators.length < 4) this.generators.push(name);
  }

  private setLanguage(tag: string | undefined): void {
    const language = tag?.trim().replaceAll('_', '-');
    if (language !== undefined && LANGUAGE.test(language)) this.language ??= language;
  }

  private readMeta({ name = '', 'http-equiv': equivalent = '', content = '' }: Attributes): void {
    switch ((name || equivalent).toLowerCase()) {
      case 'robots':
        this.noindex ||= /\b(noindex|none)\b/i.test(content);
        break;
      case 'generator':
        this.addGenerator(cutOff(content, MAX_TITLE));
        break;
      case 'content-language':
        this.setLanguage(content);
        break;
      case 'refresh': {
        // No `\s*` follows another one: the time would grow with the square of the white space.
        const [, delay = '', quote = '', address = ''] =
          /^\s*(\d+)(?:\.\d*)?\s*[;,](?:\s*url\s*=)?\s*(["']?)([^\s"'].*)/is.exec(content) ?? [];
        this.redirects ||= delay !== '' && Number(delay) <= MAX_REDIRECT_DELAY;
        if (delay !== '') this.leadsTo ??= quote === '' ? address : address.split(quote, 1)[0];
        break;
      }
    }
  }
}
