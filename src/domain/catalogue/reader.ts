/** Who reads. Readers see the projects that they have a right to, and nothing of any other. */
export interface Reader {
  /** Equal for readers with equal rights, and for no others. */
  readonly rights: string;
  maySee(project: string): boolean;
  /** Whether it may learn that there is a project; of every one, unless this says otherwise. */
  mayKnowOf?(project: string): boolean;
}

/** A reader with a right to every project. */
export const ANYBODY: Reader = { rights: '*', maySee: () => true };

/**
 * Returns what a reader may see on the host of a project: scripts in its pages can send requests there, and are to find
 * nothing of other projects.
 * @param project undefined for a host without a site
 * @param reader who asks there
 */
export function readerOnHostOf(project: string | undefined, reader = ANYBODY): Reader {
  const rights = project ?? '';
  const maySee = (name: string) => name === project && reader.maySee(name);
  if (reader === ANYBODY) return { rights, maySee };
  return { rights: `${reader.rights} ${rights}`, maySee, mayKnowOf: (name) => reader.maySee(name) };
}
