/** Sites by builders of documentation, and what readers see of two pages of each. A builder is a row. */
import { RELATIVE_SITES } from './relative-sites.js';
import type { SiteOfABuilder } from './site-of-a-builder.js';
import { SITES_WITH_A_BASE } from './sites-with-a-base.js';

export const SITES: readonly SiteOfABuilder[] = [...RELATIVE_SITES, ...SITES_WITH_A_BASE];
