import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Agent } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ThreadedPageComparison } from '../../src/adapters/comparison/index.js';
import { FilesystemDocStore } from '../../src/adapters/filesystem/index.js';
import {
  type Access,
  createHttpServer,
  type HttpServer,
  type HttpServerOptions,
  type Patience,
  type PeopleOptions,
  ProjectHosts,
  PublicAddress,
  type UploadPace,
} from '../../src/adapters/http/index.js';
import { JsonTokenRegistry } from '../../src/adapters/json/index.js';
import { ThreadedLinkChecking } from '../../src/adapters/links/threaded-link-checking.js';
import { ThreadedPageMarkdown } from '../../src/adapters/markdown/threaded-page-markdown.js';
import { MemoryTokenRegistry } from '../../src/adapters/memory/index.js';
import type { OpenObjectStore } from '../../src/adapters/object-store/index.js';
import { HtmlPages, libraries, openSite, publicDirectory } from '../../src/adapters/web/index.js';
import { readYamlDocinfo } from '../../src/adapters/yaml/index.js';
import { ZipArchives } from '../../src/adapters/zip/index.js';
import {
  type Audit,
  CountReads,
  createUseCases,
  DEFAULT_UPLOAD_LIMITS,
  KeepSearchIndex,
  type PeopleTokens,
  type SearchIndex,
  SuggestInstead,
  type TokenRegistry,
  type UploadLimits,
  type UsageStore,
} from '../../src/application/index.js';
import { loadPaths } from '../../src/composition/features.js';
import { houseOf } from '../../src/composition/links.js';
import type { Reader } from '../../src/domain/index.js';
import { agentWithin, fetchBy } from './fetch-within.js';
import { ROOT } from './root.js';
import { until } from './until.js';
import { zipOf } from './zip-writer.js';

/** Facts about the client that a server hands out: test/cli/client-file.test.ts tests the file itself. */
const CLIENT = { sha256: '0'.repeat(64), bytes: 1 };

/** Keyed digest, as a server has one, with a fixed key. */
const digestOf = (text: string) => createHmac('sha256', 'key').update(text).digest('base64url');

/** Interval between two looks at the docs directory, in milliseconds: tests wait for what others change in it. */
const POLL_MS = 20;

/** The tokens of every test server: `secret-<name>`. */
const TOKENS = {
  tokens: {
    admin: { token: 'secret-admin', allow_overwrite: true, allow_delete: true },
    ci: { token: 'secret-ci' },
    scoped: { token: 'secret-scoped', projects: ['a', 'lib-2'], allow_delete: true },
    existing: { token: 'secret-existing', existing_projects_only: true },
    deleter: { token: 'secret-deleter', allow_delete: true, allow_manage: true },
    owner: {
      token: 'secret-owner',
      projects: ['a'],
      allow_overwrite: true,
      allow_delete: true,
      allow_manage: true,
    },
    keeper: { token: 'secret-keeper', allow_manage: true, existing_projects_only: true },
    manager: { token: 'secret-manager', projects: ['a'], allow_manage: true },
    maker: { token: 'secret-maker', projects: ['a'], allow_overwrite: true, allow_tokens: true },
  },
};

/** Threads of all test servers of a process: to start one takes longer than most tests. Idle ones don't keep it alive. */
const archives = new ZipArchives(readYamlDocinfo);
const comparison = new ThreadedPageComparison();
const markdown = new ThreadedPageMarkdown();
const linkChecking = new ThreadedLinkChecking();

export interface TestServerOptions {
  readonly withTokens?: boolean;
  /** Takes the place of the tokens of every test server. */
  readonly tokens?: TokenRegistry;
  /** Free bytes of the disk; by default those of the real one. */
  readonly freeBytes?: () => Promise<number>;
  /** Whether the pages that take a token are served. */
  readonly uploadPage?: boolean;
  readonly limits?: Partial<UploadLimits>;
  readonly maxUploads?: number;
  readonly maxWaitingUploads?: number;
  readonly uploadWaitMs?: number;
  readonly trustProxy?: boolean;
  /** Path below which the web server in front has the docs directory. */
  readonly accelRedirect?: string;
  /** Prefix that readers have in front of every path. */
  readonly basePath?: string;
  /** Scheme and host as readers have them, whatever requests say. */
  readonly origin?: string;
  /** Domain of hosts for projects; needs `origin`. */
  readonly hosts?: { readonly domain: string; readonly isRedirecting?: boolean };
  /** @default a free one */
  readonly port?: number;
  readonly patience?: Patience;
  readonly uploadPace?: UploadPace;
  readonly cacheBytes?: number;
  readonly metrics?: HttpServerOptions['metrics'];
  /** Access log in Apache's combined format. */
  readonly combined?: { write(line: string): unknown };
  /** Whether pages get the version switcher unless their project says otherwise. */
  readonly switcher?: boolean;
  /** Whether coding agents can ask, at `/-/mcp`. @default true */
  readonly mcp?: boolean;
  /** Whether search engines may show what is served. */
  readonly indexing?: boolean;
  /** Whether links inside of sites are checked. @default true */
  readonly linkCheck?: boolean;
  /** Whether links between sites are looked up in the background. @default false */
  readonly houseLinks?: boolean;
  /** Whether the built client is handed out. */
  readonly client?: boolean;
  /** Site file: whose server it is. */
  readonly site?: string;
  /** Index to search pages in; without one, they cannot be searched for. */
  readonly search?: SearchIndex;
  /** Keeps counts of reads, which `saveUsage` writes there; without it, nothing is counted. */
  readonly usage?: UsageStore;
  /** Time for which what is removed can be restored, in milliseconds. */
  readonly keepRemovedMs?: number;
  /** Time for which readers may still need what was replaced or deleted, in milliseconds. Default: to the end of the test. */
  readonly graceMs?: number;
  /** Rules that say who may read which project; without them everybody may read all. */
  readonly access?: Access;
  /** People by access tokens. */
  readonly peopleTokens?: PeopleTokens;
  /** How a proxy in front says who has signed in. */
  readonly people?: PeopleOptions;
  /** The time by which readers see what is published; by default the real one. */
  readonly now?: () => Date;
  /** Holds the sites in place of a directory, and is closed at the end. */
  readonly objects?: OpenObjectStore;
  /** Whether downloads are redirected to `objects`. */
  readonly directDownloads?: boolean;
  /** Record of changes. @default none */
  readonly audit?: Audit;
  /** Serves this directory, and leaves it there at the end. */
  readonly docs?: string;
}

/** A whole Lectern in this process, on a free port and a real directory. */
export class TestServer {
  private constructor(
    readonly url: string,
    readonly docs: string,
    readonly log: object[],
    private readonly server: HttpServer,
    private readonly stop: (maxMs?: number) => Promise<boolean>,
    private readonly countReads: CountReads | undefined,
    private readonly local: FilesystemDocStore | undefined,
    /** Connects Node's client without a socket; undefined where the server is reached at another address. */
    readonly agent: Agent | undefined,
  ) {}

  static async start(options: TestServerOptions = {}): Promise<TestServer> {
    const docs = options.docs ?? (await mkdtemp(join(tmpdir(), 'lectern-test-')));
    const log: object[] = [];
    const note = (fields: object, message: string) => log.push({ message, ...fields });
    const local = options.objects
      ? undefined
      : await FilesystemDocStore.open(docs, {
          archives,
          readDocinfo: readYamlDocinfo,
          report: (message, fields) => note(fields, message),
          pollMs: POLL_MS,
          // Tests compare all files before and after.
          graceMs: options.graceMs ?? 3_600_000,
          keepRemovedMs: options.keepRemovedMs,
          ...(options.access === undefined ? {} : { privacy: options.access.policy.ofNobody }),
        });
    const store = options.objects ?? local ?? assert.fail();
    const tokens =
      options.withTokens === false
        ? new MemoryTokenRegistry()
        : (options.tokens ?? JsonTokenRegistry.parse(JSON.stringify(TOKENS)));
    const { freeBytes } = options;
    const {
      accelRedirect,
      basePath,
      origin,
      limits,
      uploadPage = true,
      search,
      usage,
      client,
      ...rest
    } = options;
    const keeper =
      search &&
      new KeepSearchIndex(store, search, { scope: 'latest', report: (message) => note({}, message) });
    const countReads =
      usage &&
      new CountReads(
        usage,
        'server',
        (message) => note({}, message),
        (text) => digestOf(text),
      );
    const hosts =
      options.hosts === undefined
        ? undefined
        : new ProjectHosts(origin ?? '', options.hosts.domain, options.hosts.isRedirecting ?? false);
    const at = new PublicAddress(basePath, origin, hosts);
    const own = options.site === undefined ? undefined : await openSite(options.site);
    const facts = {
      version: 'test',
      uploads: tokens.isConfigured,
      uploadPage,
      search: search !== undefined,
      keepRemovedMs: options.keepRemovedMs ?? 0,
      openSearch: origin !== undefined,
      origin,
      hasOwnOrigin: at.isRedirecting,
      usage: usage !== undefined,
      mcp: options.mcp ?? true,
      get signIn() {
        return at.resource !== undefined && (options.access?.peopleIssuers?.length ?? 0) > 0;
      },
      identity: own?.identity,
      client: client === true ? CLIENT : undefined,
    };
    const useCases = createUseCases(
      {
        docs: store,
        tokens,
        people: options.peopleTokens,
        archives,
        comparison,
        markdown,
        linkChecking: options.linkCheck === false ? undefined : linkChecking,
        house:
          options.houseLinks === true
            ? houseOf({ basePath: basePath ?? '', ...(origin === undefined ? {} : { origin }) }, (message) =>
                note({}, message),
              )
            : undefined,
        disk: freeBytes === undefined ? store : { freeBytes },
        direct: options.directDownloads === true ? options.objects : undefined,
        search: search && keeper && { index: search, keeper, synonyms: own?.synonyms },
        usage: usage && countReads && { store: usage, countReads },
        audit: options.audit,
      },
      { ...DEFAULT_UPLOAD_LIMITS, ...limits },
    );
    // Suggestions have no deadline: their number must not depend on the load of this machine.
    const suggestInstead = new SuggestInstead(store, useCases.goToPage, () => ({ isOver: false }));
    const server = createHttpServer(
      {
        pages: new HtmlPages(facts, (path) => hosts?.linkOnMain(path) ?? at.to(path)),
        pagesOnHosts: hosts && new HtmlPages(facts, (path) => hosts.linkOnHosts(path)),
        publicDirectory: client === true ? join(ROOT, 'dist/adapters/web/public') : publicDirectory,
        client: facts.client,
        files: [...(uploadPage ? libraries : []), ...(own?.files ?? [])],
      },
      {
        ...rest,
        features: await loadPaths(),
        at,
        version: 'DEV',
        logger: { info: note, warn: note, error: note },
      },
      {
        useCases: { ...useCases, suggestInstead },
        seenBy: (reader, now) => store.catalogue().seenBy(reader, options.now?.() ?? now),
        accelRedirect:
          accelRedirect === undefined || local === undefined
            ? undefined
            : { location: accelRedirect, store: local },
        access: options.access,
      },
    );
    const url = await server.listen(options.port ?? 0, '127.0.0.1');
    keeper?.start();
    useCases.houseLinks?.start();
    const stop = async (maxMs = 5_000) => {
      const isAllAnswered = await server.close(maxMs);
      await keeper?.close();
      await useCases.houseLinks?.close();
      await search?.close();
      await store.close();
      if (options.docs === undefined) await rm(docs, { recursive: true, force: true });
      return isAllAnswered;
    };
    return new TestServer(url, docs, log, server, stop, countReads, local, agentWithin(server));
  }

  get uploadsRunning(): number {
    return this.server.status().uploadsRunning;
  }

  get uploadsWaiting(): number {
    return this.server.status().uploadsWaiting;
  }

  /** Memory that kept responses take, in bytes. */
  get keptBytes(): number {
    return this.server.status().pageCache.bytes;
  }

  /** How many requests were answered from memory, ahead of Koa. */
  get answeredFromMemory(): number {
    return this.server.status().pageCache.hits;
  }

  /** Saves what has been counted, as a server does once a minute. */
  async saveUsage(): Promise<void> {
    await this.countReads?.save();
  }

  /** Has web servers that read the directory send what a reader may see, and nothing else. */
  async showInPublic(reader: Reader): Promise<void> {
    await this.local?.showInPublic(reader);
  }

  /** The same server, asked by way of another address. */
  reachedAt(url: string): TestServer {
    const { docs, log, server, stop, countReads, local } = this;
    return new TestServer(url, docs, log, server, stop, countReads, local, undefined);
  }

  /** @returns whether all responses could be completed in that time */
  async close(maxMs?: number): Promise<boolean> {
    return this.stop(maxMs);
  }

  /** Asks for a path, or a URL of this server, as `fetch` does, without a socket; with one where the server is reached at another address. */
  fetch(to: string | URL, init?: RequestInit): Promise<Response> {
    const url = new URL(typeof to === 'string' && to.startsWith('/') ? this.url + to : to);
    return this.agent === undefined ? fetch(url, init) : fetchBy(this.agent, url, init);
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.fetch(path, { headers, redirect: 'manual' });
  }

  /** Waits until a path is answered by 200: one that others have put into the docs directory. */
  async shows(path: string): Promise<void> {
    await this.answers(path, 200);
  }

  /** Waits until a path is answered by a status. */
  async answers(path: string, status: number): Promise<void> {
    await until(async () => {
      const response = await this.get(path);
      await response.arrayBuffer();
      return response.status === status;
    });
  }

  /** Waits until the latest version of each project can be searched, of those that may be read with these headers. */
  async isIndexed(headers?: Record<string, string>): Promise<void> {
    await until(async () => (await this.json('/api/search?q=x', headers)).indexing === 0);
  }

  async json(path: string, headers?: Record<string, string>): Promise<Json> {
    return (await (await this.get(path, headers)).json()) as Json;
  }

  /** Uploads files, or the bytes of an archive, under a file name. */
  upload(
    fileName: string,
    content: Readonly<Record<string, string | Buffer>> | Buffer = { 'index.html': fileName },
    token: string | null = 'admin',
    fields: readonly (readonly [name: string, value: string])[] = [],
  ): Promise<Response> {
    const form = new FormData();
    for (const [name, value] of fields) form.append(name, value);
    const bytes = Buffer.isBuffer(content) ? content : zipOf(content);
    form.set('file', new Blob([new Uint8Array(bytes)]), fileName);
    const headers: Record<string, string> = token === null ? {} : { 'X-Token': `secret-${token}` };
    return this.fetch(`/api/upload`, { method: 'POST', body: form, headers });
  }

  /** @param below `delete` for versions, `previews` for previews */
  delete(path: string, token: string | null = 'admin', below = 'delete'): Promise<Response> {
    const headers: Record<string, string> = token === null ? {} : { 'X-Token': `secret-${token}` };
    return this.fetch(`/api/${below}/${path}`, { method: 'DELETE', headers });
  }

  restore(path: string, token = 'manager'): Promise<Response> {
    const headers = { 'X-Token': `secret-${token}` };
    return this.fetch(`/api/restore/${path}`, { method: 'POST', headers });
  }

  /** Sends bytes as they are, and gives back everything that comes until the server ends the connection. */
  async raw(request: string | Buffer): Promise<string> {
    const socket = connect(Number(new URL(this.url).port), '127.0.0.1');
    socket.write(request);
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString('latin1');
  }

  /** The answer to a request for a path that `fetch` would tidy up. */
  async rawGet(path: string): Promise<{ status: number; head: string; body: string }> {
    const answer = await this.raw(
      `GET ${path} HTTP/1.1\r\nHost: ${new URL(this.url).host}\r\nConnection: close\r\n\r\n`,
    );
    const [head = '', ...body] = answer.split('\r\n\r\n');
    return { status: Number(head.split(' ')[1]), head, body: body.join('\r\n\r\n') };
  }
}

// Bodies are looked into freely here; their shape is checked against /api/spec by a test of its own.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type Json = any;
