import type { Context } from 'koa';
import type { ListProjects, ListRequest } from '../../../application/index.js';
import type { Project } from '../../../domain/index.js';
import type { PublicAddress } from '../public-address.js';
import { sendText, Text } from '../response/send-text.js';
import type { Turns } from '../response/turns.js';
import { projectBody } from './projections.js';
import { filterOf, searchOf } from './query.js';

const JSON_TYPE = 'application/json; charset=utf-8';
/** Min. size in bytes of search results that are hashed and compressed one at a time, which is most of their cost. */
const MIN_BYTES_IN_TURN = 256 * 1024;

/** `GET /api/projects`. The whole list is made once per state of the catalogue, a search result for each request. */
export class ProjectList {
  /** By the array of all projects, which is the same one as long as nothing changes. */
  private readonly whole = new WeakMap<readonly Project[], Text>();
  /** The JSON of each project: a change makes few new ones. */
  private readonly parts = new WeakMap<Project, string>();
  /** The large search result that is being made. */
  private turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly listProjects: ListProjects,
    private readonly at: PublicAddress,
    private readonly turns: Turns,
  ) {}

  /** @throws HttpFault `invalid_request` for a query that `searchOf` or `filterOf` refuses */
  async send(ctx: Context): Promise<void> {
    const [name, filter] = [searchOf(ctx), filterOf(ctx)];
    if (!name.isEmpty || filter.group !== undefined || filter.tag !== undefined) {
      await this.turns.next();
      // Nobody waits for it any more.
      if (ctx.res.destroyed) return;
      return sendText(ctx, await this.found({ name, filter }));
    }
    const projects = await this.listProjects.execute({ withHidden: true });
    const text = this.whole.get(projects) ?? listOf(projects.map((project) => this.partOf(project)));
    this.whole.set(projects, text);
    ctx.state.shows = '/api/projects';
    await sendText(ctx, text);
  }

  private async found(wanted: ListRequest): Promise<Text> {
    const projects = await this.listProjects.execute({ ...wanted, withHidden: true });
    const parts = projects.map((project) => this.partOf(project));
    const make = async () => {
      const text = listOf(parts);
      await text.gzip();
      return text;
    };
    const bytes = parts.reduce((sum, { length }) => sum + length, 0);
    if (bytes < MIN_BYTES_IN_TURN) return make();
    const made = this.turn.then(make, make);
    this.turn = made;
    return made;
  }

  private partOf(project: Project): string {
    const part = this.parts.get(project) ?? JSON.stringify(projectBody(project, this.at));
    this.parts.set(project, part);
    return part;
  }
}

function listOf(parts: readonly string[]): Text {
  return new Text(`{"projects":[${parts.join(',')}],"count":${parts.length}}`, JSON_TYPE);
}
