import type { Context } from 'koa';
import { KeyedMutex, type ListRequest } from '../../../application/index.js';
import { isFiltering, type Project } from '../../../domain/index.js';
import type { AppParts } from '../app-parts.js';
import { sendText, Text } from '../response/send-text.js';
import { stateNumber } from '../response/state-number.js';
import { projectBody } from './projections.js';
import { filterOf, searchOf } from './query.js';

const JSON_TYPE = 'application/json; charset=utf-8';
/** Versions whose JSON is made in one turn of the event loop: some 2 ms. */
const MAX_VERSIONS_IN_TURN = 1_000;

/** `GET /api/projects`. The whole list is cached; a search result is made for each request. */
export class ProjectList {
  /** The large search result that is being made. */
  private readonly mutex = new KeyedMutex();

  constructor(private readonly parts: Pick<AppParts, 'useCases' | 'seen' | 'at' | 'texts' | 'turns'>) {}

  /** @throws HttpFault `invalid_request` for a query that `searchOf` or `filterOf` refuses */
  async send(ctx: Context): Promise<void> {
    const { useCases, seen, texts, turns } = this.parts;
    const [name, filter] = [searchOf(ctx), filterOf(ctx)];
    if (!name.isEmpty || isFiltering(filter)) {
      await turns.next();
      // Nobody waits for it any more.
      if (ctx.res.destroyed) return;
      return sendText(ctx, await this.found(ctx, { name, filter }));
    }
    const projects = await useCases.listProjects.execute(seen.in(ctx), { withHidden: true });
    await sendText(ctx, await texts.get(`projects ${stateNumber(projects)}`, () => this.listOf(projects)));
  }

  /** Large results are made and compressed one at a time, which is most of their cost. */
  private async found(ctx: Context, wanted: ListRequest): Promise<Text> {
    const { useCases, seen } = this.parts;
    const projects = await useCases.listProjects.execute(seen.in(ctx), { ...wanted, withHidden: true });
    const make = async () => {
      const text = await this.listOf(projects);
      await text.gzip();
      return text;
    };
    const versions = projects.reduce((sum, project) => sum + project.versions.length, 0);
    if (versions < MAX_VERSIONS_IN_TURN) return make();
    return this.mutex.run('large', make);
  }

  private async listOf(projects: readonly Project[]): Promise<Text> {
    const parts: string[] = [];
    let versions = 0;
    for (const project of projects) {
      parts.push(JSON.stringify(projectBody(project, this.parts.at)));
      versions += project.versions.length;
      if (versions < MAX_VERSIONS_IN_TURN) continue;
      versions = 0;
      await this.parts.turns.next();
    }
    return new Text(`{"projects":[${parts.join(',')}],"count":${parts.length}}`, JSON_TYPE);
  }
}
