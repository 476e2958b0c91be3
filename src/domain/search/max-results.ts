/** Max. number of pages found by a search that can be paged through. */
export const MAX_RESULTS = 200;
