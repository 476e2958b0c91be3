import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** A finished request, reported by the HTTP server. Label values come from closed lists, never from clients. */
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

/** Sources of the metrics that are read at each scrape. */
export interface Sources {
  /** Version of Lectern. */
  readonly version: string;
  status(): {
    readonly isReady: boolean;
    readonly uploadsRunning: number;
    readonly pageCache: { readonly bytes: number; readonly hits: number; readonly misses: number };
  };
  /** Returns the numbers of projects and versions; rejects when they cannot be read. */
  stored(): Promise<{ readonly projects: number; readonly versions: number }>;
  /** Returns the free disk space in bytes; undefined when it is unknown. */
  freeBytes(): Promise<number | undefined>;
}

/** Histogram buckets: upper bounds in seconds, from a cached page to a large upload over a slow connection. */
const DURATION_BOUNDS = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60, 300];

/** A server's metrics in the text format of Prometheus (https://prometheus.io/docs/instrumenting/exposition_formats/). */
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

  /** Counts a request after its response was sent or its client disconnected. */
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

  /** Registers a counter whose value is kept elsewhere. */
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

  /** Registers a gauge. It is left out of a scrape when its value cannot be read, as a wrong value would mislead. */
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
