/**
 * Whether a list of projects names a project. An element is a directory name, or a pattern: the beginning of names and
 * a `*` at its end, such as `payments-*`. Compared case-sensitively; `*` alone names nothing.
 * @param projects undefined for every project
 */
export function coversProject(projects: readonly string[] | undefined, project: string): boolean {
  return (
    projects === undefined ||
    projects.some((each) => each === project || (isPattern(each) && project.startsWith(each.slice(0, -1))))
  );
}

/** Whether an element of such a list can name a project: it has no `*`, or one after a beginning. */
export function isNameOrPattern(text: string): boolean {
  return !text.includes('*') || isPattern(text);
}

function isPattern(text: string): boolean {
  return text.length > 1 && text.indexOf('*') === text.length - 1;
}
