import { Parser } from 'htmlparser2';
import type { Budget } from './reading-limits.js';

/** Attributes of an element by lower-case name, entities decoded. */
export type Attributes = Readonly<Record<string, string>>;

/** Receiver of the parser's events. Each `open` has its `close`, unless the budget stopped parsing. */
export interface HtmlEvents {
  open(name: string, attributes: Attributes): void;
  close(): void;
  /** Part of a text: one run of text comes in several parts, split at entities. */
  text(part: string): void;
}

/** Parses HTML until its end, or until the budget says stop. Malformed HTML is read as well as can be. */
export function parseHtml(html: string, events: HtmlEvents, budget: Budget): void {
  let depth = 0;
  let isWritten = false;
  const goesOn = () => {
    if (!budget.stopped) budget.checkTime();
    if (budget.stopped) parser.pause();
    return !budget.stopped;
  };
  const parser = new Parser({
    onopentag(name, attributes) {
      if (!goesOn()) return;
      depth += 1;
      if (depth > budget.limits.depth) budget.stop('depth');
      else events.open(name, attributes);
    },
    onclosetag() {
      if (!goesOn()) return;
      depth -= 1;
      events.close();
    },
    ontext(part) {
      // At the end htmlparser2 passes an unfinished tag as text: `<a /` as `/`. Text itself was passed before.
      if (goesOn() && !isWritten) events.text(part);
    },
  });
  parser.write(html);
  parser.write('\n'); // ends an unfinished entity
  isWritten = true;
  parser.end();
}
