import { PageAddress } from './page-address.js';
import { type RedirectRule, type RedirectTarget, reversed, targetOf } from './redirect-rule.js';

/** Max. rules that are tried for one address. */
const MAX_MATCHES = 10;
/** Max. nodes that are looked at for one address. Each variable beside a name can double them; a site's own file needs a few. */
const MAX_VISITED = 200;
const newNode = (): Node => ({ children: new Map(), exact: [], open: [] });
/** Max. rules in a loop. */
const MAX_STEPS = 20;
/** Max. steps for all rules of a file. Rules left unchecked count as free of loops: each request has its own limit. */
const MAX_STEPS_OF_ALL = 10_000;

interface Node {
  readonly children: Map<string, Node>;
  /** The node after a component of any name. */
  any?: Node;
  /** Positions of the first `MAX_MATCHES` rules that end here. */
  readonly exact: number[];
  /** Positions of the first `MAX_MATCHES` rules that end here with `/*`. */
  readonly open: number[];
}

/** Rules by the components of their paths: a lookup walks along the address, however many rules there are. */
class RuleTable {
  private readonly root = newNode();
  /** Number of nodes, which take most of the memory. */
  nodes = 1;

  /** @param rules in the order of the file */
  constructor(private readonly rules: readonly RedirectRule[]) {
    for (const [position, rule] of rules.entries()) this.add(rule, position);
  }

  /** Returns the rules that match, the first of the file first, at most `MAX_MATCHES`. */
  matching(page: PageAddress): readonly RedirectRule[] {
    const { components } = page.stem;
    const found: number[] = [];
    let visited = 0;
    const walk = (node: Node, depth: number): void => {
      visited += 1;
      if (visited > MAX_VISITED) return;
      found.push(...node.open);
      const component = components[depth];
      if (component === undefined) {
        found.push(...node.exact);
        return;
      }
      const child = node.children.get(component);
      if (child !== undefined) walk(child, depth + 1);
      if (node.any !== undefined) walk(node.any, depth + 1);
    };
    walk(this.root, 0);
    return found
      .sort((a, b) => a - b)
      .slice(0, MAX_MATCHES)
      .flatMap((position) => this.rules[position] ?? []);
  }

  private add({ from, hasSplat }: RedirectRule, position: number): void {
    let node = this.root;
    for (const part of from) {
      const next = typeof part === 'string' ? node.children.get(part) : node.any;
      const child = next ?? newNode();
      if (next === undefined) this.nodes += 1;
      if (typeof part === 'string') node.children.set(part, child);
      else node.any = child;
      node = child;
    }
    const ending = hasSplat ? node.open : node.exact;
    if (ending.length < MAX_MATCHES) ending.push(position);
  }
}

/** Name of the file with the rules, at the root of a site. */
export const REDIRECTS_FILE = '_redirects';

/** The redirects of one version, ready to be looked up. Whether a page is there, only the caller knows. */
export class Redirects {
  static readonly none = new Redirects([]);
  private readonly forth: RuleTable;
  private readonly back: RuleTable;

  constructor(
    readonly rules: readonly RedirectRule[],
    /** Problems of the file, as sentences that name the line; bounded in number. */
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
    // Another loop, such as that of `/* /index.html`.
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
