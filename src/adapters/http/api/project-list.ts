import type { Context } from 'koa';
import type { ListProjects } from '../../../application/index.js';
import type { Project, SearchTerm } from '../../../domain/index.js';
import type { PublicAddress } from '../public-address.js';
import { sendText, Text } from '../response/send-text.js';
import { projectBody } from './projections.js';
import { searchOf } from './search-of.js';

const JSON_TYPE = 'application/json; charset=utf-8';
/** Min. size in bytes of search results that are hashed and compressed one at a time, which is most of their cost. */
const MIN_BYTES_IN_TURN = 256 * 1024;

/** The JSON of one project, and the revision that it shows. */
interface Part {
  readonly revision: string;
  readonly json: string;
}

/** `GET /api/projects`. The whole list is made once per state of the catalogue, a search result for each request. */
export class ProjectList {
  /** The last whole list, and the projects that it shows. */
  private all: { readonly projects: readonly Project[]; readonly text: Text } | undefined;
  /** JSON of each project in the last whole list, by directory name: a change replaces few of them. */
  private parts: ReadonlyMap<string, Part> = new Map();
  /** The large search result that is being made. */
  private turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly listProjects: ListProjects,
    private readonly at: PublicAddress,
  ) {}

  /** @throws HttpFault `invalid_request` for a `search` that `searchOf` refuses */
  async send(ctx: Context): Promise<void> {
    const search = searchOf(ctx);
    const all = this.whole(await this.listProjects.execute());
    if (search.isEmpty) {
      ctx.state.shows = '/api/projects';
      await sendText(ctx, all);
    } else await sendText(ctx, await this.found(search));
  }

  private whole(projects: readonly Project[]): Text {
    if (this.all?.projects !== projects) {
      const parts = new Map(projects.map((project) => [project.directoryName, this.partOf(project)]));
      this.parts = parts;
      this.all = { projects, text: new Text(listOf([...parts.values()]), JSON_TYPE) };
    }
    return this.all.text;
  }

  private async found(search: SearchTerm): Promise<Text> {
    const projects = await this.listProjects.execute({ search });
    const parts = projects.map((project) => this.partOf(project));
    const make = async () => {
      const text = new Text(listOf(parts), JSON_TYPE);
      await text.gzip();
      return text;
    };
    const bytes = parts.reduce((sum, { json }) => sum + json.length, 0);
    if (bytes < MIN_BYTES_IN_TURN) return make();
    const made = this.turn.then(make, make);
    this.turn = made;
    return made;
  }

  private partOf(project: Project): Part {
    const { directoryName, revision } = project;
    const kept = this.parts.get(directoryName);
    if (kept?.revision === revision) return kept;
    return { revision, json: JSON.stringify(projectBody(project, this.at)) };
  }
}

function listOf(parts: readonly Part[]): string {
  return `{"projects":[${parts.map(({ json }) => json).join(',')}],"count":${parts.length}}`;
}
