/** No argument of a process can hold it. */
const MARK = '\0';

/** What cac drops without a word: parts of an option (`--docs.x`), and names that every object has. */
const DROPPED = /^--?(?:[^=]*\.|(?:__proto__|constructor|prototype)(?:=|$))/;

/**
 * Keeps cac from taking arguments that look like numbers for numbers: `-d 1.0` is a directory of that name, and
 * a version `1.0` is not `1`, and nothing is not `0`. And `-d` is spelt out: cac takes one of two spellings and
 * drops the other, where it would notice an option that is there twice.
 */
export function markNumbers(argv: readonly string[]): string[] {
  return argv.map((given) => {
    const argument = given.replace(/^-d(?==|$)/, '--docs');
    const [, flag = '', value = argument] = /^(--[^=]+=)(.*)$/s.exec(argument) ?? [];
    return Number.isFinite(Number(value)) && !value.startsWith('-') ? flag + MARK + value : argument;
  });
}

/** The name of an option that cac would drop, if there is one. */
export function droppedOption(argv: readonly string[]): string | undefined {
  return argv.find((argument) => DROPPED.test(argument))?.split('=')[0];
}

/** Takes the marks away again, in place: from the arguments of a command, or from its options. */
export function unmark(values: Record<string, unknown> | unknown[]): void {
  const record = values as Record<string, unknown>;
  for (const [key, value] of Object.entries(values)) {
    if (typeof value === 'string') record[key] = value.replaceAll(MARK, '');
    else if (Array.isArray(value)) unmark(value);
  }
}
