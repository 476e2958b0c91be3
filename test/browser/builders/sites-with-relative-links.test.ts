import { describeSites } from '../../suites/sites-of-builders.js';
import { RELATIVE_SITES } from '../../support/builders/relative-sites.js';

describeSites('Sites with relative links', RELATIVE_SITES);
