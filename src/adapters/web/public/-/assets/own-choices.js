// Choices of a reader, kept in this browser. Hosted sites can read and write them, so they are taken for names only.

const MAX_READ = 20;
const MAX_SEARCHES = 5;
/** Characters of a search, as the field has. */
const MAX_SEARCH = 200;
/** Favourites that a search is told of, as names that an address may have. */
const MAX_TOLD = 50;
const NAME = /^[\w.-]{1,100}$/;

/** A browser may refuse even to name its storage. */
const forLong = () => localStorage;
const forThisTab = () => sessionStorage;

const read = (name, storage = forLong) => {
  try {
    const value = JSON.parse(storage().getItem(`lectern.${name}`));
    return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
  } catch {
    return [];
  }
};

const write = (name, values, storage = forLong) => {
  try {
    storage().setItem(`lectern.${name}`, JSON.stringify(values));
  } catch {
    // A browser without storage remembers nothing.
  }
};

/** Directory names of favourite projects. */
export const favourites = () => read('favourites');

/** The favourites that the server is told of when it searches. */
export const toldFavourites = () =>
  favourites()
    .filter((each) => NAME.test(each))
    .slice(-MAX_TOLD);

/** Adds a project to the favourites, or removes it. Returns whether it is one now. */
export const toggleFavourite = (project) => {
  const before = favourites();
  const isOne = !before.includes(project);
  write('favourites', isOne ? [...before, project] : before.filter((each) => each !== project));
  return isOne;
};

/** Directory names of the projects that were opened last, the last one first. */
export const recentlyRead = () => read('read');

export const noteRead = (project) =>
  write('read', [project, ...recentlyRead().filter((each) => each !== project)].slice(0, MAX_READ));

/** Whether the reader chose one line for each project; undefined without a choice. */
export const chosenDense = () => ({ dense: true, roomy: false })[read('view')[0]];
export const chooseDense = (isOn) => write('view', [isOn ? 'dense' : 'roomy']);

/** Searches that led to a page, the last one first. They go with the tab: on a shared machine they would tell what others looked for. */
export const searchesMade = () =>
  read('searches', forThisTab)
    .map((each) => each.slice(0, MAX_SEARCH))
    .slice(0, MAX_SEARCHES);

export const noteSearch = (typed) => {
  const query = typed.trim();
  if (query === '') return;
  const others = searchesMade().filter((each) => each !== query);
  write('searches', [query, ...others].slice(0, MAX_SEARCHES), forThisTab);
};

export const forgetSearches = () => write('searches', [], forThisTab);
