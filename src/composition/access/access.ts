import { accessOptions } from '../../adapters/cli/index.js';
import type { Feature } from '../feature.js';

/** Rules that say who may read (contract section 12). */
export const access = { options: accessOptions } satisfies Feature;
