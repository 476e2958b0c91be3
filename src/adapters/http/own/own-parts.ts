import type { UseCases } from '../../../application/index.js';
import type { Pages } from '../pages.js';
import type { PublicAddress } from '../public-address.js';
import type { TextCache } from '../response/text-cache.js';
import type { LibraryFiles } from './library-files.js';

/** Sources of the server's own pages. */
export interface OwnPages {
  readonly pages: Pages;
  /** Directory whose `-/assets/` holds the files of these pages. */
  readonly publicDirectory: string;
  /** Third-party files for scripts; only the pages that take a token need any. */
  readonly libraries?: readonly LibraryFiles[];
}

export interface OwnParts extends OwnPages {
  readonly useCases: UseCases;
  readonly at: PublicAddress;
  readonly texts: TextCache;
}
