import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** A request as the HTTP server reports it. Labels come from closed lists: nothing that a client sends is ever one. */
export interface ObservedRequest {
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly seconds: number;
  readonly bytes: number;
  readonly aborted: boolean;
  readonly refusal?: string | undefined;
  readonly archiveBytes?: number | undefined;
}

/** What is asked for at each scrape. */
export interface Sources {
  /** Of Lectern itself. */
  readonly version: string;
  status(): {
    readonly isReady: boolean;
    readonly uploadsRunning: number;
    readonly pageCache: { readonly bytes: number; readonly hits: number; readonly misses: number };
  };
  /** What is stored now; rejects when it cannot be read. */
  stored(): Promise<{ readonly projects: number; readonly versions: number }>;
  /** Bytes that can still be stored; undefined where that is not known. */
  freeBytes(): Promise<number | undefined>;
}

/** Upper bounds in seconds, from a page out of memory to a large upload over a slow line. */
const DURATION_BOUNDS = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60, 300];

/** The metrics of a server, in the text format of Prometheus (https://prometheus.io/docs/instrumenting/exposition_formats/). */
export class PrometheusMetrics {
  private readonly registry = new Registry();
  private readonly requests = this.counter('lectern_http_requests_total', 'Requests that were answered', [
    'route',
    'method',
    'status',
  ]);
  private readonly durations = new Histogram({
    name: 'lectern_http_request_duration_seconds',
    help: 'Time from the headers of a request to the end of its answer',
    labelNames: ['route'],
    buckets: DURATION_BOUNDS,
    registers: [this.registry],
  });
  private readonly bytes = this.counter(
    'lectern_http_response_bytes_total',
    'Bytes of answers, headers included',
    ['route'],
  );
  private readonly aborted = this.counter(
    'lectern_http_aborted_total',
    'Requests whose client went before the end',
    ['route'],
  );
  private readonly refusals = this.counter(
    'lectern_refusals_total',
    'Refusals, by the code that the client was told',
    ['code'],
  );
  private readonly archiveBytes = this.counter(
    'lectern_upload_bytes_total',
    'Bytes of archives that arrived whole',
    [],
  );

  constructor({ version, status, stored, freeBytes }: Sources) {
    this.total(
      'lectern_page_cache_hits_total',
      'Responses that were sent from memory',
      () => status().pageCache.hits,
    );
    this.total(
      'lectern_page_cache_misses_total',
      'Responses that had to be made first',
      () => status().pageCache.misses,
    );
    this.gauge('lectern_ready', '1 when /-/ready answers 200, else 0', async () => Number(status().isReady));
    this.gauge(
      'lectern_page_cache_bytes',
      'Memory that kept responses take',
      async () => status().pageCache.bytes,
    );
    this.gauge('lectern_uploads_running', 'Uploads under way', async () => status().uploadsRunning);
    this.gauge('lectern_projects', 'Projects stored', async () => (await stored()).projects);
    this.gauge('lectern_versions', 'Versions stored', async () => (await stored()).versions);
    this.gauge(
      'lectern_disk_free_bytes',
      'Bytes that can still be stored below the docs directory',
      freeBytes,
    );
    new Gauge({
      name: 'lectern_build_info',
      help: 'Always 1; the label says which version runs',
      labelNames: ['version'],
      registers: [this.registry],
    }).set({ version }, 1);
    collectDefaultMetrics({ register: this.registry });
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  /** Counts a request whose answer is out, or whose client is gone. */
  observe({ route, method, status, seconds, bytes, aborted, refusal, archiveBytes }: ObservedRequest): void {
    this.requests.inc({ route, method, status });
    this.durations.observe({ route }, seconds);
    this.bytes.inc({ route }, bytes);
    this.aborted.inc({ route }, aborted ? 1 : 0);
    if (refusal !== undefined) this.refusals.inc({ code: refusal });
    if (archiveBytes !== undefined) this.archiveBytes.inc(archiveBytes);
  }

  text(): Promise<string> {
    return this.registry.metrics();
  }

  private counter<Label extends string>(name: string, help: string, labelNames: Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  /** A counter that is kept elsewhere. */
  private total(name: string, help: string, read: () => number): void {
    new Counter({
      name,
      help,
      registers: [this.registry],
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  }

  /** A gauge that shows nothing when its value cannot be read: a false one would mislead whoever watches it. */
  private gauge(name: string, help: string, read: () => Promise<number | undefined>): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      async collect() {
        const value = await read().catch(() => undefined);
        if (value === undefined) this.remove();
        else this.set(value);
      },
    });
  }
}
