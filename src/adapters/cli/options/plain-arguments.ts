/** Prefix of marked values. No argument of a process can contain it. */
const MARK = '\0';

/** Options that cac drops silently: dotted ones (`--docs.x`), and names of object prototypes. */
const DROPPED = /^--?(?:[^=]*\.|(?:__proto__|constructor|prototype)(?:=|$))/;

/**
 * Marks arguments that cac would take for something else, so that cac keeps them as text: directory or version `1.0` is not
 * `1`, and an empty value is not `0`. A lone `-` is a value, too. Also replaces `-d` by `--docs`: with both spellings cac
 * would drop one, but it reports one that is given twice.
 */
export function markPlain(argv: readonly string[]): string[] {
  return argv.map((given) => {
    const argument = given.replace(/^-d(?==|$)/, '--docs');
    const [, flag = '', value = argument] = /^(--[^=]+=)(.*)$/s.exec(argument) ?? [];
    const isPlain = value === '-' || (Number.isFinite(Number(value)) && !value.startsWith('-'));
    return isPlain ? flag + MARK + value : argument;
  });
}

/** Returns the name of the first option that cac would drop, if any. */
export function droppedOption(argv: readonly string[]): string | undefined {
  return argv.find((argument) => DROPPED.test(argument))?.split('=')[0];
}

/** Removes the marks in place, from the arguments of a command or from its options. */
export function unmark(values: Record<string, unknown> | unknown[]): void {
  const record = values as Record<string, unknown>;
  for (const [key, value] of Object.entries(values)) {
    if (typeof value === 'string') record[key] = value.replaceAll(MARK, '');
    else if (Array.isArray(value)) unmark(value);
  }
}
