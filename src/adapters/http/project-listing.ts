import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import type { ListProjects } from '../../application/index.js';
import type { Project, SearchTerm } from '../../domain/index.js';
import type { ShortWay } from './ahead-of-koa.js';
import { ListGzip } from './list-gzip.js';
import { ListText } from './list-text.js';
import { PublicAddress } from './public-address.js';
import type { Reply } from './reply.js';
import { searchOf } from './search-of.js';
import { Written } from './written.js';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Bytes of text from which on search results are hashed and compressed one at a time: in them lies the work. */
const MIN_IN_TURN = 256 * 1024;

/**
 * `GET /api/projects`. The whole list is written once for each state of the catalogue, then sent from memory. A
 * search result is put together from parts of it for each request.
 */
export class ProjectListing implements ShortWay {
  private readonly text: ListText;
  private readonly gzip: ListGzip;
  private readonly written = new WeakMap<readonly Project[], Written>();
  /** The large search result that is made just now. */
  private turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly listProjects: ListProjects,
    at = new PublicAddress(),
  ) {
    this.text = new ListText(at);
    this.gzip = new ListGzip(this.text);
  }

  /** @throws HttpFault `invalid_request` for a `search` that `searchOf` refuses */
  async send(ctx: Context): Promise<void> {
    const search = searchOf(ctx);
    const projects = await this.listProjects.execute();
    // Written first, since search results are put together from parts of it.
    const all = this.all(projects);
    const list = search.isEmpty ? all : await this.found(search, ctx.headers);
    await list.send(ctx);
  }

  private async found(search: SearchTerm, headers: IncomingHttpHeaders): Promise<Written> {
    const found = await this.listProjects.execute({ search });
    const make = async () => {
      const list = new Written(this.text.of(found), JSON_TYPE);
      await list.prepare(headers);
      return list;
    };
    const bytes = found.reduce((sum, project) => sum + this.text.partOf(project).length, 0);
    return bytes < MIN_IN_TURN ? make() : this.inTurn(make);
  }

  private inTurn(make: () => Promise<Written>): Promise<Written> {
    const made = this.turn.then(make, make);
    this.turn = made;
    return made;
  }

  /** The whole list, if it has been sent before and nothing has changed since. */
  replyTo({ url, headers }: IncomingMessage): Reply | undefined {
    const projects = url === '/api/projects' ? this.listProjects.now() : undefined;
    return projects && this.written.get(projects)?.replyTo(headers);
  }

  private all(projects: readonly Project[]): Written {
    let written = this.written.get(projects);
    if (written === undefined) {
      const compress = (text: Buffer) => this.gzip.of(projects, text);
      written = new Written(this.text.ofAll(projects), JSON_TYPE, compress);
      this.written.set(projects, written);
    }
    return written;
  }
}
