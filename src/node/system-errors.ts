/** The code of an error of the operating system, such as `ENOENT`. */
export function errnoOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
}

/** Whether an error has one of these codes. */
export function hasErrno(error: unknown, codes: readonly string[]): boolean {
  return codes.includes(errnoOf(error) ?? '');
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
