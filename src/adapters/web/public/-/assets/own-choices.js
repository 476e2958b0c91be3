// Choices of a reader, kept in this browser. Hosted sites can read and write them, so they are taken for names only.

const MAX_READ = 20;

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
