/**
 * Whether a list of projects names a project. An element is a directory name, or a pattern: the beginning of names and
 * a `*` at its end, such as `payments-*`. Compared case-sensitively; `*` alone names nothing.
 * @param projects undefined for every project
 * @param project or an element of another list, which it names when it names every project of that
 */
export function coversProject(projects: readonly string[] | undefined, project: string): boolean {
  return (
    projects === undefined ||
    projects.some((each) => each === project || (isPattern(each) && project.startsWith(each.slice(0, -1))))
  );
}

/** The list of the projects that two lists both name: of two elements, one is a part of the other, or they share nothing. */
export function inBoth(
  a: readonly string[] | undefined,
  b: readonly string[] | undefined,
): readonly string[] | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return [
    ...new Set([
      ...a.filter((each) => coversProject(b, each)),
      ...b.filter((each) => coversProject(a, each)),
    ]),
  ];
}

/** Whether an element of such a list can name a project: it has no `*`, or one after a beginning. */
export function isNameOrPattern(text: string): boolean {
  return !text.includes('*') || isPattern(text);
}

function isPattern(text: string): boolean {
  return text.length > 1 && text.indexOf('*') === text.length - 1;
}
