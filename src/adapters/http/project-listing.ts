import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { Context } from 'koa';
import Negotiator from 'negotiator';
import type { ListProjects } from '../../application/index.js';
import type { Project } from '../../domain/index.js';
import { HttpFault } from './errors.js';
import { projectBody } from './projections.js';
import type { PublicAddress } from './public-address.js';
import type { Body } from './schemas.js';
import { isFresh } from './send-file.js';

const compress = promisify(gzip);

interface Written {
  readonly text: Buffer;
  readonly etag: string;
  compressed?: Promise<Buffer>;
}

/** `GET /api/projects`: written once for each state of the catalogue, then sent from memory. */
export class ProjectListing {
  private readonly written = new WeakMap<readonly Project[], Written>();

  constructor(
    private readonly listProjects: ListProjects,
    private readonly at: PublicAddress,
  ) {}

  /** @throws HttpFault `invalid_request` for a `search` that is given twice or badly encoded */
  async send(ctx: Context): Promise<void> {
    const projects = await this.listProjects.execute({ search: searchOf(ctx) });
    const body = this.bodyOf(projects);
    ctx.set('Cache-Control', 'no-cache');
    ctx.vary('Accept-Encoding');
    const asGzip =
      ctx.get('Accept-Encoding') !== '' && new Negotiator(ctx.req).encoding(['gzip', 'identity']) === 'gzip';
    const etag = asGzip ? `"${body.etag}-gzip"` : `"${body.etag}"`;
    ctx.set('ETag', etag);
    ctx.status = 200;
    if (isFresh(ctx, etag)) {
      ctx.status = 304;
      return;
    }
    ctx.type = 'application/json; charset=utf-8';
    if (asGzip) {
      ctx.set('Content-Encoding', 'gzip');
      body.compressed ??= compress(body.text, { level: constants.Z_BEST_SPEED });
      ctx.body = await body.compressed;
    } else ctx.body = body.text;
  }

  private bodyOf(projects: readonly Project[]): Written {
    let written = this.written.get(projects);
    if (written === undefined) {
      const body: Body<'ProjectList'> = {
        projects: projects.map((project) => projectBody(project, this.at)),
        count: projects.length,
      };
      const text = Buffer.from(JSON.stringify(body));
      written = { text, etag: createHash('sha256').update(text).digest('base64url').slice(0, 32) };
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
