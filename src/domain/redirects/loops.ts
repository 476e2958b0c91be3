import { PageAddress } from './page-address.js';
import { type RedirectRule, targetOf } from './redirect-rule.js';
import { RuleTable } from './rule-table.js';

/** Max. rules in a circle. */
const MAX_STEPS = 20;

/**
 * Returns the rules that lead back to where they start, over the first rule that matches each time. `/* /index.html` is
 * no loop: it ends at a page.
 */
export function loopsIn(rules: readonly RedirectRule[]): ReadonlySet<RedirectRule> {
  const table = new RuleTable(rules);
  return new Set(rules.filter((rule) => isLoop(rule, table)));
}

function isLoop(rule: RedirectRule, table: RuleTable): boolean {
  const start = sampleOf(rule);
  if (start === undefined) return false;
  let page = targetOf(rule, start)?.page;
  for (let step = 0; step < MAX_STEPS && page !== undefined; step++) {
    if (page.stem.toString() === start.stem.toString()) return true;
    const at: PageAddress = page;
    const [next] = table.matching(at);
    page = next && targetOf(next, at)?.page;
  }
  return false;
}

/** An address that the rule matches, with names in place of its variables that no rule has. */
function sampleOf({ from, hasSplat }: RedirectRule): PageAddress | undefined {
  const components = from.map((part, index) => (typeof part === 'string' ? part : `any ${index}`));
  return PageAddress.of([...components, ...(hasSplat ? ['any'] : [])].join('/'));
}
