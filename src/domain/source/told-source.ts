import { refuse } from '../refusal/refuse.js';
import { SOURCE_FACTS, SOURCE_FORMS, type Source, type SourceFact, sourceFact } from './source.js';

/** Facts about a source, as a client sends them. */
export type ToldSource = Readonly<Partial<Record<SourceFact, string>>>;

/**
 * Returns the source that a client tells of; undefined where it tells nothing.
 * @throws Refusal `invalid_request` for a fact of another form than `sourceFact` takes
 */
export function sourceToldBy(told: ToldSource): Source | undefined {
  const given = SOURCE_FACTS.filter((fact) => told[fact] !== undefined);
  if (given.length === 0) return undefined;
  const facts = given.map((fact) => {
    const text = told[fact] ?? '';
    const known = sourceFact(fact, text);
    if (known === undefined) throw refuse.invalidSource(`source_${fact}`, text, SOURCE_FORMS[fact].rule);
    return [fact, known];
  });
  return { toldBy: 'client', ...Object.fromEntries(facts) };
}

/** Returns the facts that a server takes, among those that a CI job has. */
export function factsToTell(known: Readonly<Partial<Record<SourceFact, string | undefined>>>): ToldSource {
  return Object.fromEntries(
    SOURCE_FACTS.flatMap((fact) => {
      const text = known[fact];
      return text === undefined || sourceFact(fact, text) === undefined ? [] : [[fact, text]];
    }),
  );
}
