import type { VNode } from 'preact';

interface RowsProps {
  /** Prefix of the ids: `<list>-rows`, `<list>-row`. */
  readonly list: string;
  /** What stands for the name of a row. @default its text */
  readonly name?: VNode;
  /** Buttons of a row, by what they do; the script names those without words. */
  readonly acts: Readonly<Record<string, string>>;
  /** Sentence in place of an empty list. */
  readonly none?: string | undefined;
}

/** An empty list, and the template of its rows: name, facts and buttons. `manage-rows.js` fills the list. */
export function Rows({ list, name = <p class="managed-name" data-part="name" />, acts, none }: RowsProps) {
  return (
    <>
      {none !== undefined && (
        <p class="count" id={`no-${list}-rows`} hidden>
          {none}
        </p>
      )}
      <ul class="plain-list managed-rows" id={`${list}-rows`} />
      <template id={`${list}-row`}>
        <li class="managed-row">
          {name}
          <p class="count" data-part="facts" />
          <p class="buttons">
            {Object.entries(acts).map(([act, words]) => (
              <button class="button button-quiet" key={act} type="button" data-act={act}>
                {words}
              </button>
            ))}
          </p>
        </li>
      </template>
    </>
  );
}
