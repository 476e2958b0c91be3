/** No argument of a process can hold it. */
const MARK = '\0';

/**
 * Keeps cac from taking arguments that look like numbers for numbers: `-d 1.0` is a directory of that name, and
 * a version `1.0` is not `1`, and nothing is not `0`.
 */
export function markNumbers(argv: readonly string[]): string[] {
  return argv.map((argument) => {
    const [, flag = '', value = argument] = /^(--[^=]+=)(.*)$/s.exec(argument) ?? [];
    return Number.isFinite(Number(value)) && !value.startsWith('-') ? flag + MARK + value : argument;
  });
}

/** Takes the marks away again, in place: from the arguments of a command, or from its options. */
export function unmark(values: Record<string, unknown> | unknown[]): void {
  const record = values as Record<string, unknown>;
  for (const [key, value] of Object.entries(values)) {
    if (typeof value === 'string') record[key] = value.replaceAll(MARK, '');
    else if (Array.isArray(value)) unmark(value);
  }
}
