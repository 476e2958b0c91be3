import { fold, type Group } from '../../../../domain/index.js';
import { useSite } from '../page-context.js';

const NONE = [] as const;

/** What the site file says about groups, by their folded names in its order. */
function useGroupTexts(): ReadonlyMap<string, string | undefined> {
  const { groups = NONE } = useSite().identity ?? {};
  return new Map(groups.map(({ name, description }) => [fold(name), description]));
}

/** Returns groups in the order of the site file; those that it does not name follow as they were. */
export function useGroupOrder(groups: readonly Group[]): readonly Group[] {
  const named = [...useGroupTexts().keys()];
  const placeOf = ({ name }: Group) => {
    const place = name === undefined ? -1 : named.indexOf(fold(name));
    return place === -1 ? named.length : place;
  };
  return groups.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** The sentence of the site file about a group. */
export function GroupSentence({ group }: { readonly group: string }) {
  const sentence = useGroupTexts().get(fold(group));
  return sentence === undefined ? null : <p class="group-sentence">{sentence}</p>;
}
