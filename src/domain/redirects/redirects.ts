import type { PageAddress } from './page-address.js';
import { type RedirectRule, type RedirectTarget, reversed, targetOf } from './redirect-rule.js';
import { RuleTable } from './rule-table.js';

/** Name of the file with the rules, at the root of a site. */
export const REDIRECTS_FILE = '_redirects';

/** The redirects of one version, ready to be looked up. Whether a page is there, only the caller knows. */
export class Redirects {
  static readonly none = new Redirects([]);
  private readonly forth: RuleTable;
  private readonly back: RuleTable;

  constructor(
    readonly rules: readonly RedirectRule[],
    /** What is wrong with the file, as sentences that name the line; bounded in number. */
    readonly problems: readonly string[] = [],
  ) {
    this.forth = new RuleTable(rules);
    this.back = new RuleTable(rules.flatMap((rule) => (rule.status === 200 ? [] : (reversed(rule) ?? []))));
  }

  /** Memory that it takes, about, as measured. */
  get bytes(): number {
    return 1_250 * this.rules.length + 260 * (this.forth.nodes + this.back.nodes);
  }

  /** Returns where the rules lead from an address, the first rule of the file first. */
  from(page: PageAddress): readonly RedirectTarget[] {
    return this.forth.matching(page).flatMap((rule) => targetOf(rule, page) ?? []);
  }

  /** Returns from where the rules lead to an address: its older names. */
  to(page: PageAddress): readonly RedirectTarget[] {
    return this.back.matching(page).flatMap((rule) => targetOf(rule, page) ?? []);
  }
}
