// Choices of a reader, kept in this browser. Hosted sites can read and write them, so they are taken for names only.

const MAX_READ = 20;
/** Favourites that a search is told of, as names that an address may have. */
const MAX_TOLD = 50;
const NAME = /^[\w.-]{1,100}$/;

const read = (name) => {
  try {
    const value = JSON.parse(localStorage.getItem(`lectern.${name}`));
    return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
  } catch {
    return [];
  }
};

const write = (name, values) => {
  try {
    localStorage.setItem(`lectern.${name}`, JSON.stringify(values));
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
