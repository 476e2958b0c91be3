// The page that is being read: its version, and its address in others.

/** Base path of the server, with a `/` at the end. This script is in `-/switcher/`, two levels down. */
export const base = new URL('../..', import.meta.url).pathname;

/** Address of the list of projects. */
export let home = base;

/** Directory of the site that has this host for itself, and so no directory in its addresses. */
let site;

/** Returns the version of a page, or the alias, and the page's path inside it; undefined outside of the base path. */
export const partsOf = (pathname) => {
  if (!pathname.startsWith(base)) return undefined;
  const inside = pathname.slice(base.length);
  if (site) return { directory: site, path: inside };
  const [directory] = inside.split('/', 1);
  return { directory, path: inside.slice(directory.length + 1) };
};

/** Directory of the page's version, or of the alias that was asked for; empty outside of the base path. */
export let directory = partsOf(location.pathname)?.directory ?? '';

/** Asks the server about this version; undefined if it can't tell. Everything else here depends on what it says. */
export const factsHere = async () => {
  const answer = await fetch(`${base}-/switcher/${directory || '-'}.json`).catch(() => undefined);
  if (!answer?.ok) return undefined;
  const facts = await answer.json();
  if (facts.site) {
    site = facts.site;
    directory = site;
    home = facts.home;
  }
  return facts;
};

/** Returns the path of the version's front page. */
export const frontPath = () => (site ? base : `${base}${directory}/`);

/** The current page's path in its version, percent-encoded. Reads `location` each time, as a site may change it. */
export const pagePath = () => location.pathname.slice(frontPath().length);

/** Returns the current page's address in another version. */
export const pageIn = (other) => `${base}-/go/${other}/${pagePath()}${location.search}${location.hash}`;
