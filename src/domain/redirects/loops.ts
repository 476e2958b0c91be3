import { PageAddress } from './page-address.js';
import { type RedirectRule, targetOf } from './redirect-rule.js';
import { RuleTable } from './rule-table.js';

/** Max. rules in a circle. */
const MAX_STEPS = 20;
/** Max. steps for all rules of a file. What is left then is taken for no loop: each request has a limit of its own. */
const MAX_STEPS_OF_ALL = 10_000;

/**
 * Returns the rules that lead back to where they start, over the first rule that matches each time. `/* /index.html` is
 * no loop: it ends at a page.
 */
export function loopsIn(rules: readonly RedirectRule[]): ReadonlySet<RedirectRule> {
  const table = new RuleTable(rules);
  const left = { steps: MAX_STEPS_OF_ALL };
  return new Set(rules.filter((rule) => isLoop(rule, table, left)));
}

function isLoop(rule: RedirectRule, table: RuleTable, left: { steps: number }): boolean {
  const start = sampleOf(rule);
  if (start === undefined) return false;
  const home = start.stem.toString();
  const passed = new Set<string>();
  let page = targetOf(rule, start)?.page;
  for (let step = 0; step < MAX_STEPS && left.steps > 0 && page !== undefined; step++) {
    const name = page.stem.toString();
    if (name === home) return true;
    // In another circle, such as that of `/* /index.html`.
    if (passed.has(name)) return false;
    passed.add(name);
    left.steps -= 1;
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
