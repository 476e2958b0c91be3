import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Ceph } from '../support/ceph/ceph.js';
import { type Ended, run, SpawnedServer } from '../support/spawned-server.js';

/** Longer than a node tries to reach a store that stalls: it is the node that gives up, not its client. */
const PATIENCE_MS = 90_000;
const TOKENS = {
  tokens: {
    ci: { token: 'may-all', allow_overwrite: true, allow_delete: true },
    first: { token: 'may-not-replace' },
  },
};

/** Answer of a node, with its whole body. */
export interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly body: Buffer;
}

/** Store of the nodes of a test. */
export interface Place {
  /** `s3://bucket/prefix` */
  readonly store: string;
  readonly accessKey: string;
  readonly secretKey: string;
}

export function placeIn(ceph: Ceph, bucket: string): Place {
  return { store: `s3://${bucket}/team`, accessKey: ceph.accessKey, secretKey: ceph.secretKey };
}

/** A `lectern serve --store` in a process of its own, which can be killed and started again. */
export class Node {
  private server: (SpawnedServer & { url: string }) | undefined;

  private constructor(
    /** Directory of its own for the tokens file and the cache. */
    readonly home: string,
    private readonly place: Place,
    private readonly endpoint: string,
    private readonly options: readonly string[],
  ) {}

  /** Makes a node that is not started; it ends with the test. */
  static async at(t: TestContext, place: Place, endpoint: string, ...options: string[]): Promise<Node> {
    const home = await mkdtemp(join(tmpdir(), 'lectern-node-'));
    await writeFile(join(home, 'tokens.json'), JSON.stringify(TOKENS));
    const node = new Node(home, place, endpoint, options);
    t.after(async () => {
      await node.kill();
      await rm(home, { recursive: true, force: true });
    });
    return node;
  }

  static async started(t: TestContext, ...args: [Place, string, ...string[]]): Promise<Node> {
    const node = await Node.at(t, ...args);
    await node.start();
    return node;
  }

  get cacheDirectory(): string {
    return join(this.home, 'cache');
  }

  get url(): string {
    if (this.server === undefined) throw new Error('the node is not running');
    return this.server.url;
  }

  get isRunning(): boolean {
    return this.server !== undefined;
  }

  /** Standard error of the process so far. */
  get log(): string {
    return this.server?.stderr ?? '';
  }

  /** Starts the process, and waits until it serves. */
  async start({ withTokens = true } = {}): Promise<void> {
    this.server = await SpawnedServer.start(this.args(withTokens), this.environment);
  }

  /** Runs the process until it ends by itself. */
  async runToItsEnd(): Promise<Ended> {
    return run([...this.args(true), '--port', '0'], this.environment);
  }

  /** `kill -9`. */
  async kill(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    await server?.stop('SIGKILL');
  }

  /** Pauses the process, or lets it go on. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    this.server?.signal(name);
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.ask(path, 'GET', headers);
  }

  upload(
    name: string,
    archive: Buffer,
    {
      mayReplace = true,
      /** Called when the last byte of the archive is out. */
      onSent = () => {},
    } = {},
  ): Promise<Answer> {
    const head = `--x\r\nContent-Disposition: form-data; name="file"; filename="${name}-docs.zip"\r\n\r\n`;
    const body = Buffer.concat([Buffer.from(head), archive, Buffer.from('\r\n--x--\r\n')]);
    const headers = {
      'X-Token': mayReplace ? 'may-all' : 'may-not-replace',
      'Content-Type': 'multipart/form-data; boundary=x',
      'Content-Length': String(body.length),
    };
    return this.ask('/api/upload', 'POST', headers, body, onSent);
  }

  remove(project: string, version: string): Promise<Answer> {
    return this.ask(`/api/delete/${project}/${version}`, 'DELETE', { 'X-Token': 'may-all' });
  }

  /** Returns all projects with their versions, as the node's API lists them. */
  async catalogue(): Promise<unknown> {
    const { status, body } = await this.get('/api/projects');
    if (status !== 200) throw new Error(`/api/projects has status ${status}`);
    return JSON.parse(body.toString());
  }

  private get environment() {
    return { AWS_ACCESS_KEY_ID: this.place.accessKey, AWS_SECRET_ACCESS_KEY: this.place.secretKey };
  }

  private args(withTokens: boolean): readonly string[] {
    const store = ['--store', this.place.store, '--store-endpoint', this.endpoint];
    const tokens = withTokens ? ['--tokens', join(this.home, 'tokens.json')] : [];
    return [...store, '--cache-dir', this.cacheDirectory, ...tokens, ...this.options];
  }

  /** On a connection of its own. @throws the error of a connection that ends before the whole answer has come */
  private ask(
    path: string,
    method: string,
    headers: Record<string, string>,
    body?: Buffer,
    onSent: () => void = () => {},
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const options = { method, headers, agent: false, signal: AbortSignal.timeout(PATIENCE_MS) };
      const sending = request(this.url + path, options, async (response) => {
        try {
          const chunks: Buffer[] = [];
          for await (const chunk of response) chunks.push(chunk as Buffer);
          resolve({
            status: response.statusCode ?? 0,
            retryAfter: response.headers['retry-after'],
            body: Buffer.concat(chunks),
          });
        } catch (error) {
          reject(error);
        }
      });
      sending.on('error', reject).once('finish', onSent).end(body);
    });
  }
}
