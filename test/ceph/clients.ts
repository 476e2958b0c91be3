import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { markOf, siteOf } from '../robustness/client.js';
import { writeZip } from '../support/zip-writer.js';
import type { Node } from './nodes.js';

/** Upload or removal that a writer has tried. */
export interface Attempt {
  readonly kind: 'publish' | 'remove';
  readonly project: string;
  readonly version: string;
  /** Hash of the archive; empty for a removal. */
  readonly sha256: string;
  /** Milliseconds since the process began. */
  readonly began: number;
  ended: number;
  /** `done`: answered with 2xx. `unknown`: answered with 503, or not at all. */
  outcome: 'under way' | 'done' | 'refused' | 'unknown';
  /** Status of the answer, if there was one. */
  status?: number;
}

/** Text in each page of a site that says which upload the page comes from. */
export const markFor = (project: string, version: string, id: string) => `${project} ${version} ${id}`;

/** Attempts and reads of the clients of a test, and the violations that they saw. */
export class History {
  readonly attempts: Attempt[] = [];
  readonly violations: string[] = [];
  /** Attempts to publish, by the mark on the site's pages. */
  private readonly byMark = new Map<string, Attempt>();
  pagesRead = 0;

  get done(): number {
    return this.attempts.filter(({ outcome }) => outcome === 'done').length;
  }

  /** Hash of the archive from which a page comes that has this mark. */
  sha256Of(mark: string | undefined): string | undefined {
    return this.byMark.get(mark ?? '')?.sha256;
  }

  /**
   * Publishes a site that no other upload has.
   * @param ballast bytes of a file that is in the archive as it is
   */
  async publish(node: Node, project: string, version: string, { onSent = () => {}, ballast = 0 } = {}) {
    const mark = markFor(project, version, randomUUID());
    const pages = Object.entries(siteOf(mark)).map(([name, content]) => ({ name, content }));
    const archive = writeZip([...pages, { name: 'ballast.bin', content: randomBytes(ballast), method: 0 }]);
    const sha256 = createHash('sha256').update(archive).digest('hex');
    const attempt = this.begin('publish', project, version, sha256);
    this.byMark.set(mark, attempt);
    return this.end(attempt, () => node.upload(`${project}-${version}`, archive, { onSent }));
  }

  async remove(node: Node, project: string, version: string) {
    const attempt = this.begin('remove', project, version, '');
    return this.end(attempt, () => node.remove(project, version));
  }

  /**
   * Reads a page.
   * @returns the mark on it; undefined when there is no such version, or the node cannot answer
   */
  async read(node: Node, project: string, version: string, path: string): Promise<string | undefined> {
    const url = `/${project}-${version}/${path}`;
    const encoding: Record<string, string> = Math.random() < 0.5 ? { 'Accept-Encoding': 'gzip' } : {};
    // A node that is killed cuts its answers: clients notice that, so it does no harm.
    const answer = await node.get(url, encoding).catch(() => undefined);
    if (answer === undefined || answer.status === 404) return undefined;
    if (answer.status === 503) {
      if (answer.retryAfter === undefined) this.violations.push(`${url}: 503 without Retry-After`);
      return undefined;
    }
    if (answer.status !== 200) {
      this.violations.push(`${url}: status ${answer.status}: ${answer.body}`);
      return undefined;
    }
    const isGzip = answer.body[0] === 0x1f && answer.body[1] === 0x8b;
    const mark = markOf((isGzip ? gunzipSync(answer.body) : answer.body).toString());
    const of = this.byMark.get(mark ?? '');
    if (of?.project !== project || of.version !== version || of.outcome === 'refused') {
      this.violations.push(`${url}: a page of '${mark}', which never was this version`);
    }
    this.pagesRead += 1;
    return mark;
  }

  private begin(kind: Attempt['kind'], project: string, version: string, sha256: string): Attempt {
    const began = performance.now();
    const attempt: Attempt = { kind, project, version, sha256, began, ended: Infinity, outcome: 'under way' };
    this.attempts.push(attempt);
    return attempt;
  }

  private async end(attempt: Attempt, work: () => ReturnType<Node['upload']>): Promise<Attempt> {
    const answer = await work().catch(() => undefined);
    attempt.ended = performance.now();
    if (answer !== undefined) attempt.status = answer.status;
    const { status = 503 } = answer ?? {};
    attempt.outcome = status < 300 ? 'done' : status === 503 ? 'unknown' : 'refused';
    if (status === 503 && answer?.retryAfter === undefined && answer !== undefined) {
      this.violations.push(`${attempt.kind} of ${attempt.project}: 503 without Retry-After`);
    }
    if (status >= 400 && status !== 503 && status !== 404) {
      this.violations.push(`${attempt.kind} of ${attempt.project}: status ${status}: ${answer?.body}`);
    }
    return attempt;
  }
}

/** Versions that all writers publish, and none removes. */
export const SHARED = { project: 'shared', versions: ['1.0', '2.0'] } as const;
const OWN_VERSIONS = ['1.0', '2.0', '3.0'];
/** Pause between two changes of a writer: daemons are away for half a minute, in which it would make hundreds. */
const WRITER_PAUSE_MS = 500;
const READER_PAUSE_MS = 100;
export const projectOf = (writer: number) => `writer${writer}`;

/**
 * Publishes, replaces and removes versions of a project that nobody else changes, and publishes shared ones, each time
 * on any node, until told to stop. Checks that each answer follows from those before.
 */
export async function write(
  history: History,
  writer: number,
  anyNode: () => Node | undefined,
  isOver: () => boolean,
): Promise<void> {
  const project = projectOf(writer);
  /** Undefined when the last change may have been made, or not. */
  const isThere = new Map<string, boolean | undefined>(OWN_VERSIONS.map((version) => [version, false]));
  for (; !isOver(); await pause(WRITER_PAUSE_MS)) {
    const node = anyNode();
    if (node === undefined) continue;
    if (Math.random() < 0.15) {
      await history.publish(node, SHARED.project, oneOf(SHARED.versions));
      continue;
    }
    const version = oneOf(OWN_VERSIONS);
    const before = isThere.get(version);
    const removes = before !== false && Math.random() < 0.4;
    const { outcome, status } = removes
      ? await history.remove(node, project, version)
      : await history.publish(node, project, version);
    const expected = removes
      ? before
        ? 200
        : undefined
      : before === undefined
        ? undefined
        : before
          ? 200
          : 201;
    if (outcome !== 'unknown' && expected !== undefined && status !== expected) {
      history.violations.push(
        `${removes ? 'removing' : 'publishing'} ${project}-${version}: ${status} instead of ${expected}`,
      );
    }
    isThere.set(version, outcome === 'unknown' ? undefined : !removes);
  }
}

/** Reads pages of all versions that writers may have published, until told to stop. */
export async function readPages(
  history: History,
  writers: number,
  anyNode: () => Node | undefined,
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    const node = anyNode();
    if (node !== undefined) {
      const writer = Math.floor(Math.random() * (writers + 1));
      const [project, version] =
        writer === writers
          ? [SHARED.project, oneOf(SHARED.versions)]
          : [projectOf(writer), oneOf(OWN_VERSIONS)];
      const first = await history.read(node, project, version, 'index.html');
      const other = await history.read(node, project, version, 'a/b.html');
      const again = await history.read(node, project, version, 'index.html');
      // The three answers are from one node, and nothing was published in between.
      if (first !== undefined && first === again && other !== undefined && other !== first) {
        history.violations.push(`${project}-${version}: pages of '${first}' and of '${other}'`);
      }
    }
    await pause(READER_PAUSE_MS);
  }
}

export function oneOf<T>(values: readonly T[]): T {
  return values[Math.floor(Math.random() * values.length)] as T;
}
