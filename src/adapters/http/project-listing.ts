import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import type { ListProjects } from '../../application/index.js';
import type { Project } from '../../domain/index.js';
import type { ShortWay } from './ahead-of-koa.js';
import { HttpFault } from './errors.js';
import { ListGzip } from './list-gzip.js';
import { ListText } from './list-text.js';
import { PublicAddress } from './public-address.js';
import type { Reply } from './reply.js';
import { Written } from './written.js';

const JSON_TYPE = 'application/json; charset=utf-8';

/** `GET /api/projects`: written once for each state of the catalogue, then sent from memory. */
export class ProjectListing implements ShortWay {
  private readonly text: ListText;
  private readonly gzip: ListGzip;
  private readonly written = new WeakMap<readonly Project[], Written>();

  constructor(
    private readonly listProjects: ListProjects,
    at = new PublicAddress(),
  ) {
    this.text = new ListText(at);
    this.gzip = new ListGzip(this.text);
  }

  /** @throws HttpFault `invalid_request` for a `search` that is given twice or badly encoded */
  async send(ctx: Context): Promise<void> {
    const search = searchOf(ctx);
    const projects = await this.listProjects.execute({ search });
    const list = search === '' ? this.all(projects) : new Written(this.text.of(projects), JSON_TYPE);
    await list.send(ctx);
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

/** The search term of the query, decoded strictly. */
export function searchOf(ctx: Context): string {
  const terms = ctx.querystring.split('&').filter((pair) => /^search(?:=|$)/.test(pair));
  if (terms.length > 1) throw new HttpFault('invalid_request', "Give 'search' once");
  try {
    return decodeURIComponent((terms[0] ?? '').replace(/^search=?/, '').replaceAll('+', ' '));
  } catch {
    throw new HttpFault('invalid_request', "The value of 'search' is not percent-encoded UTF-8");
  }
}
