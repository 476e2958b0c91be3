import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Metrics, ObservedRequest, StoreRequest } from '../../application/index.js';
import type { Sources, StoreStatus, TokensStatus } from './sources.js';

/** Histogram buckets: upper bounds in seconds, from a cached page to a large upload over a slow connection. */
const DURATION_BOUNDS = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60, 300];
/** The same for uploads that wait, up to `--upload-wait` and a longer one. */
const WAIT_BOUNDS = [0.1, 0.5, 2, 5, 10, 20, 45, 120];

/** A server's metrics in the text format of Prometheus (https://prometheus.io/docs/instrumenting/exposition_formats/). */
export class PrometheusMetrics implements Metrics {
  private readonly registry = new Registry();
  private readonly requests = this.counter('lectern_http_requests_total', 'Requests answered', [
    'route',
    'method',
    'status',
  ]);
  private readonly durations = new Histogram({
    name: 'lectern_http_request_duration_seconds',
    help: 'Time from the headers of a request to the end of its response',
    labelNames: ['route'],
    buckets: DURATION_BOUNDS,
    registers: [this.registry],
  });
  private readonly bytes = this.counter(
    'lectern_http_response_bytes_total',
    'Bytes of responses, including headers',
    ['route'],
  );
  private readonly aborted = this.counter(
    'lectern_http_aborted_total',
    'Requests whose client disconnected before the end',
    ['route'],
  );
  private readonly refusals = this.counter('lectern_refusals_total', 'Refusals, by error code', ['code']);
  private readonly archiveBytes = this.counter(
    'lectern_upload_bytes_total',
    'Bytes of completely received archives',
    [],
  );
  private readonly warnings = this.counter(
    'lectern_upload_warnings_total',
    'Warnings about published sites, by code',
    ['code'],
  );

  private readonly waits = new Histogram({
    name: 'lectern_upload_wait_seconds',
    help: 'Time that uploads waited in the queue, of those that had to wait',
    buckets: WAIT_BOUNDS,
    registers: [this.registry],
  });

  /** Beginnings, in UTC, of the days on which tokens were accepted last, in seconds since 1970, by the names of the tokens. */
  private readonly lastUses = new Map<string, number>();
  private storeRequests: Histogram<'operation' | 'result'> | undefined;

  constructor({
    version,
    status,
    stored,
    tokens,
    freeBytes,
    deadLinks,
    store,
    search,
    housekeeping,
  }: Sources) {
    this.total('lectern_page_cache_hits_total', 'Responses sent from memory', () => status().pageCache.hits);
    this.total(
      'lectern_page_cache_misses_total',
      'Responses that had to be generated',
      () => status().pageCache.misses,
    );
    this.gauges(async () => status(), {
      lectern_ready: ['1 when /-/ready answers 200, else 0', (it) => Number(it.isReady)],
      lectern_page_cache_bytes: ['Memory used by cached responses', (it) => it.pageCache.bytes],
      lectern_uploads_running: ['Uploads in progress', (it) => it.uploadsRunning],
      lectern_uploads_waiting: ['Uploads waiting in the queue', (it) => it.uploadsWaiting],
    });
    this.gauges(stored, {
      lectern_projects: ['Projects stored', (it) => it.projects],
      lectern_versions: ['Versions stored', (it) => it.versions],
    });
    this.gauges(deadLinks, {
      lectern_dead_links: ['Dead links of the public latest versions that have been checked', Number],
    });
    this.gauges(freeBytes, {
      lectern_disk_free_bytes: ['Bytes that can still be stored below the docs directory', Number],
    });
    this.gauges(async () => tokens(), {
      lectern_tokens_expiring: ['Tokens that expire within 14 days', (it) => it.soon],
      lectern_tokens_expired: ['Tokens that have expired', (it) => it.expired],
      lectern_tokens_unusable: ['1 when the changed tokens file cannot be used', (it) => Number(it.isStale)],
    });
    this.lastUseMetric(tokens);
    if (store !== undefined) this.storeMetrics(store);
    this.gauges(search, {
      lectern_search_versions_indexed: [
        'Versions of --search whose pages can be searched',
        (it) => it.indexed,
      ],
      lectern_search_versions_missing: [
        'Versions of --search whose pages are not indexed yet',
        (it) => it.missing,
      ],
      lectern_search_builds: ['Indexes built by this server since the start', (it) => it.built],
      lectern_search_build_failures: [
        'Indexes that could not be built since the start; each is tried again',
        (it) => it.failed,
      ],
      lectern_search_pages: ['Pages in the indexes built by this server since the start', (it) => it.pages],
    });
    this.gauges(housekeeping, {
      lectern_clock_doubtful: [
        '1 while the clock of this machine is in doubt, and nothing is removed by age',
        (it) => Number(it.isClockDoubtful),
      ],
      lectern_housekeeping_waiting: [
        'Versions and previews due for removal by age that did not fit into one round',
        (it) => it.waiting,
      ],
    });
    new Gauge({
      name: 'lectern_build_info',
      help: 'Always 1; the label has the running version',
      labelNames: ['version'],
      registers: [this.registry],
    }).set({ version }, 1);
    collectDefaultMetrics({ register: this.registry });
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  /** Counts a request after its response was sent or its client disconnected. */
  observe(request: ObservedRequest): void {
    const { route, method, status, seconds, bytes, aborted, refusal, token, archiveBytes, waitedMs } =
      request;
    for (const code of request.warnings ?? []) this.warnings.inc({ code });
    this.requests.inc({ route, method, status });
    this.durations.observe({ route }, seconds);
    this.bytes.inc({ route }, bytes);
    this.aborted.inc({ route }, aborted ? 1 : 0);
    if (refusal !== undefined) this.refusals.inc({ code: refusal });
    // Names of expired tokens are known as well.
    if (token !== undefined && refusal !== 'authentication_required') {
      this.lastUses.set(token, new Date().setUTCHours(0, 0, 0, 0) / 1_000);
    }
    if (archiveBytes !== undefined) this.archiveBytes.inc(archiveBytes);
    if (waitedMs !== undefined) this.waits.observe(waitedMs / 1_000);
  }

  /** Counts a request to the object store. */
  observeStore({ operation, result, seconds }: StoreRequest): void {
    this.storeRequests?.observe({ operation, result }, seconds);
  }

  text(): Promise<string> {
    return this.registry.metrics();
  }

  private lastUseMetric(tokens: () => TokensStatus): void {
    const { lastUses } = this;
    new Gauge({
      name: 'lectern_token_last_used_timestamp_seconds',
      help: 'Start of the day, in UTC, on which this server last accepted the token',
      labelNames: ['token'],
      registers: [this.registry],
      collect() {
        this.reset();
        const names = new Set(tokens().names);
        for (const [token, day] of lastUses) {
          // A token that is no longer in the file is dropped.
          if (names.has(token)) this.set({ token }, day);
          else lastUses.delete(token);
        }
      },
    });
  }

  private storeMetrics(store: () => Promise<StoreStatus | undefined>): void {
    this.storeRequests = new Histogram({
      name: 'lectern_store_request_duration_seconds',
      help: 'Time of requests to the object store, including retries',
      labelNames: ['operation', 'result'],
      buckets: DURATION_BOUNDS,
      registers: [this.registry],
    });
    this.gauges(store, {
      lectern_store_reachable: [
        '1 when the last check of the object store succeeded',
        (it) => Number(it.isReachable),
      ],
      lectern_store_commit: ['Number of the last commit known to this server', (it) => it.commit],
      lectern_archive_cache_bytes: ['Bytes of archives in the local cache', (it) => it.cache.bytes],
      lectern_archive_cache_hits: [
        'Reads of archives from the local cache since the start',
        (it) => it.cache.hits,
      ],
      lectern_archive_cache_misses: [
        'Reads of archives from the object store since the start',
        (it) => it.cache.misses,
      ],
    });
  }

  /** Registers gauges, if there is a source. They are left out of a scrape when their status cannot be read, as a wrong value would mislead. */
  private gauges<Status>(
    source: (() => Promise<Status | undefined>) | undefined,
    table: Readonly<Record<string, readonly [help: string, read: (status: Status) => number]>>,
  ): void {
    if (source === undefined) return;
    for (const [name, [help, read]] of Object.entries(table)) {
      new Gauge({
        name,
        help,
        registers: [this.registry],
        async collect() {
          const status = await source().catch(() => undefined);
          if (status === undefined) this.remove();
          else this.set(read(status));
        },
      });
    }
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
}
