import type { UseCases } from '../../../application/index.js';
import type { Pages } from '../pages.js';
import type { PublicAddress } from '../public-address.js';
import type { TextCache } from '../response/text-cache.js';
import type { LibraryFiles } from './library-files.js';

/** What the server's own pages are made of. */
export interface OwnPages {
  readonly pages: Pages;
  /** A directory whose `-/assets/` holds the files of these pages. */
  readonly publicDirectory: string;
  /** What scripts of these pages need of other packages; only the pages that take a token do. */
  readonly libraries?: readonly LibraryFiles[];
}

export interface OwnParts extends OwnPages {
  readonly useCases: UseCases;
  readonly at: PublicAddress;
  readonly texts: TextCache;
}
