/** Error codes of a hard link on a file system that has none. */
export const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

/** The code of an error of the operating system, such as `ENOENT`. */
export function errnoOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
}

/** Whether an error has one of these codes. */
export function hasErrno(error: unknown, codes: readonly string[]): boolean {
  return codes.includes(errnoOf(error) ?? '');
}

/** Returns the refusal that an error of a disk or an object store is for clients; any other error as it is. */
export type RefusalOf = (error: unknown) => unknown;

/** Runs `work`. @throws what `refusalOf` makes of its error */
export async function refusing<T>(refusalOf: RefusalOf, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw refusalOf(error);
  }
}

/** The result of `work`; undefined when it fails with one of these codes. */
export async function unless<T>(codes: readonly string[], work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (hasErrno(error, codes)) return undefined;
    throw error;
  }
}

/** Whether `work` is done; false when it fails with one of these codes. */
export async function isDone(codes: readonly string[], work: Promise<unknown>): Promise<boolean> {
  return (
    (await unless(
      codes,
      work.then(() => true),
    )) === true
  );
}
