import {
  filterProjects,
  findProjects,
  inOrder,
  isFiltering,
  type Project,
  type ProjectFilter,
  type ProjectOrder,
  SearchTerm,
  type VisibleCatalogue,
} from '../../domain/index.js';

export interface ListRequest {
  /** Whether projects whose versions are all hidden are listed, too. Default: not. */
  readonly withHidden?: boolean;
  /** Text that the name or the directory name contains (interface section 4, rule 2). Default: all projects. */
  readonly name?: SearchTerm;
  /** Words to find in all that the index shows of a project. Default: all projects. */
  readonly search?: SearchTerm;
  readonly filter?: ProjectFilter;
  /** Sort order. Default: by directory name. */
  readonly order?: ProjectOrder;
}

/** Use case: lists projects with their versions. */
export class ListProjects {
  /** Cache of sorted lists, by list: sorting 20,000 names takes longer than searching them. */
  private readonly sorted = new WeakMap<readonly Project[], Map<ProjectOrder, readonly Project[]>>();

  /** @returns the projects; all of them are the same array again while nothing changes */
  async execute(seen: VisibleCatalogue, request: ListRequest = {}): Promise<readonly Project[]> {
    const { name = SearchTerm.none, search = SearchTerm.none, filter = {}, order } = request;
    const projects = request.withHidden === true ? seen.projects : seen.listed;
    let list = order === undefined ? projects : this.inOrder(projects, order);
    if (isFiltering(filter)) list = filterProjects(list, filter);
    if (!name.isEmpty) list = list.filter((project) => project.matches(name));
    return search.isEmpty ? list : findProjects(list, search);
  }

  private inOrder(projects: readonly Project[], order: ProjectOrder): readonly Project[] {
    const orders = this.sorted.get(projects) ?? new Map<ProjectOrder, readonly Project[]>();
    this.sorted.set(projects, orders);
    const sorted = orders.get(order) ?? inOrder(projects, order);
    orders.set(order, sorted);
    return sorted;
  }
}
