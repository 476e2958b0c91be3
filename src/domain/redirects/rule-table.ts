import type { PageAddress } from './page-address.js';
import type { RedirectRule } from './redirect-rule.js';

/** Max. rules that are tried for one address. */
const MAX_MATCHES = 10;
/** Max. nodes that are looked at for one address. Each variable beside a name can double them; a site's own file needs a few. */
const MAX_VISITED = 200;

interface Node {
  readonly children: Map<string, Node>;
  /** The node after a component of any name. */
  any?: Node;
  /** Positions of the first `MAX_MATCHES` rules that end here. */
  readonly exact: number[];
  /** Positions of the first `MAX_MATCHES` rules that end here with `/*`. */
  readonly open: number[];
}

const newNode = (): Node => ({ children: new Map(), exact: [], open: [] });

/** Rules by the components of their paths: a lookup walks along the address, however many rules there are. */
export class RuleTable {
  private readonly root = newNode();
  /** Number of nodes, which are what takes memory. */
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
