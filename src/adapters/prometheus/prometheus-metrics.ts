import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { CountedHistogram } from './counted-histogram.js';

/**
 * What is counted elsewhere, asked for at each scrape. Values of labels come from closed lists: nothing that a
 * client sends is ever one.
 */
export interface Counted {
  /** Of Lectern itself. */
  readonly version: string;
  readonly traffic: {
    requests(): Iterable<{ route: string; method: string; status: string; count: number }>;
    durations(): Iterable<{ route: string; counts: readonly number[]; seconds: number }>;
    outcomes(): Iterable<{ route: string; bytes: number; aborted: number }>;
    /** By code. */
    readonly refusals: Iterable<readonly [code: string, count: number]>;
    readonly archiveBytes: number;
  };
  /** Upper bounds of the durations, in seconds. */
  readonly durationBounds: readonly number[];
  readonly pageCache: { readonly bytes: number; readonly hits: number; readonly misses: number };
  readonly uploads: { readonly running: number };
  ready(): Promise<boolean>;
  /** What is stored now; rejects when it cannot be read. */
  stored(): Promise<{ readonly projects: number; readonly versions: number }>;
  /** Of the disk; undefined where that is not known. */
  freeBytes(): Promise<number | undefined>;
}

type Sample<Label extends string> = readonly [labels: Record<Label, string>, value: number];

/** The metrics of a server, in the text format of Prometheus (https://prometheus.io/docs/instrumenting/exposition_formats/). */
export class PrometheusMetrics {
  private readonly registry = new Registry();

  constructor(counted: Counted) {
    this.addTraffic(counted);
    this.addState(counted);
    collectDefaultMetrics({ register: this.registry });
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  readonly text = (): Promise<string> => this.registry.metrics();

  private addTraffic({ traffic, durationBounds, pageCache }: Counted): void {
    this.counter(
      'lectern_http_requests_total',
      'Requests that were answered',
      ['route', 'method', 'status'],
      () => [...traffic.requests()].map(({ count, ...labels }) => [labels, count]),
    );
    this.registry.registerMetric(
      new CountedHistogram(
        {
          name: 'lectern_http_request_duration_seconds',
          help: 'Time from the headers of a request to the end of its answer',
          labelNames: ['route'],
          bounds: durationBounds,
        },
        () =>
          [...traffic.durations()].map(({ route, counts, seconds }) => ({
            labels: { route },
            counts,
            sum: seconds,
          })),
      ),
    );
    this.counter('lectern_http_response_bytes_total', 'Bytes of answers, headers included', ['route'], () =>
      [...traffic.outcomes()].map(({ route, bytes }) => [{ route }, bytes]),
    );
    this.counter('lectern_http_aborted_total', 'Requests whose client went before the end', ['route'], () =>
      [...traffic.outcomes()].map(({ route, aborted }) => [{ route }, aborted]),
    );
    this.counter('lectern_refusals_total', 'Refusals, by the code that the client was told', ['code'], () =>
      [...traffic.refusals].map(([code, count]) => [{ code }, count]),
    );
    this.counter('lectern_upload_bytes_total', 'Bytes of archives that arrived whole', [], () => [
      [{}, traffic.archiveBytes],
    ]);
    this.counter('lectern_page_cache_hits_total', 'Pages that were sent from memory', [], () => [
      [{}, pageCache.hits],
    ]);
    this.counter('lectern_page_cache_misses_total', 'Pages that were read from disk', [], () => [
      [{}, pageCache.misses],
    ]);
  }

  private addState({ version, pageCache, uploads, ready, stored, freeBytes }: Counted): void {
    this.gauge('lectern_build_info', 'Always 1; the label says which version runs', ['version'], () => [
      [{ version }, 1],
    ]);
    this.gauge('lectern_ready', '1 when /-/ready answers 200, else 0', [], async () => [
      [{}, (await ready()) ? 1 : 0],
    ]);
    this.gauge('lectern_page_cache_bytes', 'Memory that cached pages take', [], () => [
      [{}, pageCache.bytes],
    ]);
    this.gauge('lectern_uploads_running', 'Uploads under way', [], () => [[{}, uploads.running]]);
    // Without the docs directory there is no number; a false one would mislead whoever watches it.
    this.gauge('lectern_projects', 'Projects stored', [], async () =>
      known((await unlessGone(stored))?.projects),
    );
    this.gauge('lectern_versions', 'Versions stored', [], async () =>
      known((await unlessGone(stored))?.versions),
    );
    this.gauge(
      'lectern_disk_free_bytes',
      'Bytes that can still be stored below the docs directory',
      [],
      async () => known(await unlessGone(freeBytes)),
    );
  }

  private counter<Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    read: () => readonly Sample<Label>[],
  ): void {
    new Counter<Label>({
      name,
      help,
      labelNames,
      registers: [this.registry],
      collect() {
        this.reset();
        for (const [labels, value] of read()) this.inc(labels, value);
      },
    });
  }

  private gauge<Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    read: () => readonly Sample<Label>[] | Promise<readonly Sample<Label>[]>,
  ): void {
    new Gauge<Label>({
      name,
      help,
      labelNames,
      registers: [this.registry],
      async collect() {
        const samples = await read();
        this.reset();
        // A metric without labels starts at 0; one that is not known shows nothing.
        if (samples.length === 0) this.remove();
        for (const [labels, value] of samples) this.set(labels, value);
      },
    });
  }
}

function known(value: number | undefined): readonly Sample<never>[] {
  return value === undefined ? [] : [[{}, value]];
}

function unlessGone<T>(ask: () => Promise<T>): Promise<T | undefined> {
  return ask().catch(() => undefined);
}
