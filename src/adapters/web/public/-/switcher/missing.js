// Pages that a version lacks, and what to read instead.

import { base, directory, pagePath, partsOf } from './page.js';

/** Whether this is the site's own 404 page: the server marks it. */
export const isMissing = document.querySelector('meta[name="lectern-status"][content="404"]') !== null;

/** Returns the JSON at an address of the server; undefined if it can't be had. */
const ask = (path) =>
  fetch(base + path, { headers: { Accept: 'application/json' } })
    .then((answer) => (answer.ok ? answer.json() : undefined))
    .catch(() => undefined);

/** Returns the address of a page in a version, or of the nearest one, and whether it is the `same`. */
export const whereIs = (version, path) => ask(`-/go/${version}/${path}`);

/** Returns the pages to read instead of one that this version lacks. */
const insteadOf = (path) => ask(`-/suggest/${directory}/${path}`);

/** The page that the reader comes from, in another version of this project. */
const pageBefore = ({ versions, aliases }) => {
  if (!URL.canParse(document.referrer)) return undefined;
  const { origin, pathname } = new URL(document.referrer);
  const before = origin === location.origin ? partsOf(pathname) : undefined;
  const isOther =
    before?.directory !== directory &&
    [...versions.map((version) => version.directory), ...aliases].includes(before?.directory);
  return isOther ? before.path : undefined;
};

/**
 * Returns what the reader looks for and isn't in this version, with what to read instead: the page itself, or the one that
 * they come from when this is the nearest to it.
 */
export const lackedPage = async (facts) => {
  if (isMissing) {
    const instead = await insteadOf(pagePath());
    return instead && { name: 'This page', instead };
  }
  const path = pageBefore(facts);
  if (path === undefined || path === pagePath()) return undefined;
  const found = await whereIs(directory, path);
  if (found === undefined || found.same || found.url !== location.pathname) return undefined;
  const instead = await insteadOf(path);
  if (instead === undefined) return undefined;
  const closest = instead.closest.filter(({ url }) => url !== location.pathname);
  return { name: instead.missing, instead: { ...instead, closest } };
};
