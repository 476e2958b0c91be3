import { listIn } from '../list-in.js';
import { isContentPage } from '../site-path.js';
import { isAscii } from './page-address.js';
import { stemOf } from './redirect-rule.js';

/**
 * The HTML pages of a site, by their names, and all its files by their composed names. Made once for a list of files, and then
 * asked for many missing pages. Stems are composed (NFC).
 */
export class SitePages {
  /** Paths with other characters than those of ASCII, by their composed form. */
  private readonly byComposed = new Map<string, string[]>();
  /** Paths by stem, components joined by `/`. */
  private readonly byStem = new Map<string, string>();
  /** Stems by their last component, in lower case. */
  private readonly byName = new Map<string, string[]>();
  /** Last components of the stems in a directory. */
  private readonly byDirectory = new Map<string, string[]>();
  /** UTF-16 code units of all paths together, and some for each path: a measure of the memory that they take. */
  weight = 0;

  /** @param path a file of the site */
  add(path: string): void {
    const composed = path.normalize('NFC');
    if (!isAscii(path)) {
      listIn(this.byComposed, composed).push(path);
      this.weight += path.length + 100;
    }
    if (!isContentPage(path)) return;
    const components = stemOf(composed);
    const name = components.at(-1);
    const stem = components.join('/');
    const isKnown = this.byStem.has(stem);
    this.byStem.set(stem, path);
    if (name === undefined || isKnown) return;
    listIn(this.byName, name.toLowerCase()).push(stem);
    listIn(this.byDirectory, components.slice(0, -1).join('/')).push(name);
    this.weight += path.length + 100;
  }

  /** Returns the paths of files, pages or not, that differ from a path by their Unicode composition only. */
  inAnyComposition(path: string): readonly string[] {
    return this.byComposed.get(path.normalize('NFC')) ?? [];
  }

  /** Returns the path of the page with this stem. */
  path(stem: string): string | undefined {
    return this.byStem.get(stem);
  }

  /** Names of all pages, in lower case, each once. */
  get names(): readonly string[] {
    return [...this.byName.keys()];
  }

  /** Returns the stems of the pages of this name, in lower case. */
  named(name: string): readonly string[] {
    return this.byName.get(name) ?? [];
  }

  /** Returns the names of the pages right below this directory. */
  in(directory: string): readonly string[] {
    return this.byDirectory.get(directory) ?? [];
  }
}
