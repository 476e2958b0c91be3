/** Words of questions that say nothing of what is looked for. */
const EMPTY = new Set(
  `a about after all an and any are as at be been before by can could did do does each for from had has have how i if in into is
  it its may me must my of on or should so such than that the their them then there these they this those through to use used
  using was we were what when where which while who why will with without would you your`.split(/\s+/),
);
const IDENTIFIER = /[_.:()#/]|--|\p{Ll}\p{Lu}/u;
const MAX_IDENTIFIERS = 2;
const MAX_LEAVING_ONE_OUT = 4;

/** Searches for one question: its telling words, then its identifiers, then its telling words but one. Each ends with a space: it is finished. */
export function queriesFor(question: string, project: string | undefined): readonly string[] {
  const words = question
    .split(/\s+/)
    .map((word) => word.replace(/^["'([{]+|["'\])}?!,;.:]+$/g, ''))
    .filter((word) => word !== '');
  const telling = words.filter((word) => {
    const lower = word.toLowerCase();
    return !EMPTY.has(lower) && lower !== project?.toLowerCase();
  });
  const chosen = (telling.length > 0 ? telling : words).slice(0, 12);
  const identifiers = chosen.filter((word) => IDENTIFIER.test(word)).slice(0, MAX_IDENTIFIERS);
  // The longest ones are the rarest as a rule: shorter ones are left out first.
  const dispensable =
    chosen.length < 3 ? [] : [...chosen].sort((a, b) => a.length - b.length).slice(0, MAX_LEAVING_ONE_OUT);
  const lacking = dispensable.map((left) => chosen.filter((word) => word !== left).join(' '));
  return [...new Set([chosen.join(' '), ...identifiers, ...lacking])].map((query) => `${query} `);
}
