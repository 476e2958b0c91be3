import { inOrder, type Project, type ProjectOrder, SearchTerm } from '../domain/index.js';
import type { DocStore } from './ports/doc-store.js';

export interface ListRequest {
  /** Text that the name or the directory name contains. Default: all projects. */
  readonly search?: SearchTerm;
  /** Sort order. Default: by directory name. */
  readonly order?: ProjectOrder;
}

/** Use case: lists projects with their versions. */
export class ListProjects {
  /** Cache of sorted lists, by catalogue: sorting 20,000 names takes longer than searching them. */
  private readonly sorted = new WeakMap<readonly Project[], Map<ProjectOrder, readonly Project[]>>();

  constructor(private readonly docs: DocStore) {}

  /** @returns the projects; without a search, the same array again while nothing changes */
  async execute({ search = SearchTerm.none, order }: ListRequest = {}): Promise<readonly Project[]> {
    const { projects } = this.docs.catalogue();
    const all = order === undefined ? projects : this.inOrder(projects, order);
    return search.isEmpty ? all : all.filter((project) => project.matches(search));
  }

  private inOrder(projects: readonly Project[], order: ProjectOrder): readonly Project[] {
    const orders = this.sorted.get(projects) ?? new Map<ProjectOrder, readonly Project[]>();
    this.sorted.set(projects, orders);
    const sorted = orders.get(order) ?? inOrder(projects, order);
    orders.set(order, sorted);
    return sorted;
  }
}
