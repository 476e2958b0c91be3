/** Who reads. Readers see the projects that they have a right to, and nothing of any other. */
export interface Reader {
  /** Equal for readers with equal rights, and for no others. */
  readonly rights: string;
  maySee(project: string): boolean;
}

/** Whoever asks. */
export const ANYBODY: Reader = { rights: '*', maySee: () => true };

/**
 * Whoever asks on the host of a project: its pages can send requests there, and are to find nothing of other projects.
 * @param project undefined for a host without a site
 */
export function readerOnHostOf(project: string | undefined): Reader {
  return { rights: project ?? '', maySee: (name) => name === project };
}
