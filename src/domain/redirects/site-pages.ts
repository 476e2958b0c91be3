import { listIn } from '../list-in.js';
import { isContentPage } from '../site-path.js';
import { stemOf } from './redirect-rule.js';

/** The HTML pages of a site, by their names. Made once for a list of files, and then asked for many missing pages. */
export class SitePages {
  /** Paths by stem, components joined by `/`. */
  private readonly byStem = new Map<string, string>();
  /** Stems by their last component, in lower case. */
  private readonly byName = new Map<string, string[]>();
  /** Last components of the stems in a directory. */
  private readonly byDirectory = new Map<string, string[]>();
  /** UTF-16 code units of all paths together, and some for each path: a measure of the memory that they take. */
  weight = 0;

  /** @param path a file of the site; only HTML pages count */
  add(path: string): void {
    if (!isContentPage(path)) return;
    const components = stemOf(path);
    const name = components.at(-1);
    const stem = components.join('/');
    const isKnown = this.byStem.has(stem);
    this.byStem.set(stem, path);
    if (name === undefined || isKnown) return;
    listIn(this.byName, name.toLowerCase()).push(stem);
    listIn(this.byDirectory, components.slice(0, -1).join('/')).push(name);
    this.weight += path.length + 100;
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
