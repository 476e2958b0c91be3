import { describeSites } from '../../suites/sites-of-builders.js';
import { SITES_WITH_A_BASE } from '../../support/builders/sites-with-a-base.js';

describeSites('Sites with a base', SITES_WITH_A_BASE);
