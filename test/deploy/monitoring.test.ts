import assert from 'node:assert/strict';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { parse } from 'yaml';
import { init } from '../../src/adapters/cli/commands/local/init.js';
import { WARNING_CODES } from '../../src/domain/index.js';
import { STATUS_OF } from '../../src/formats/index.js';
import { ROOT } from '../support/root.js';
import { SpawnedServer } from '../support/spawned-server.js';
import { until } from '../support/until.js';
import { zipOf } from '../support/zip-writer.js';

interface Panel {
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[];
}

interface Dashboard {
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly query: string | { readonly query: string } }[] };
}

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary: string; readonly description: string };
}

/** Names of metrics in an expression: what looks like one of ours, of Node's or of the process. */
function namesIn(expression: string): readonly string[] {
  const bare = expression.replace(/"[^"]*"/g, '""');
  return bare.match(/\b(?:lectern|nodejs|process)_\w+/g) ?? [];
}

/** Labels in an expression's selectors and groupings. */
function labelsIn(expression: string): readonly string[] {
  const selectors = [...expression.matchAll(/\{([^}]*)\}/g)].flatMap(([, inside = '']) =>
    [...inside.matchAll(/(\w+)\s*=/g)].map((match) => match[1] ?? ''),
  );
  const groupings = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, inside = '']) =>
    inside.split(', '),
  );
  return [...selectors, ...groupings];
}

const sampleOf = (text: string, sample: string) =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${sample} `))
      ?.slice(sample.length + 1),
  );

const SITE = zipOf({ 'index.html': 'x' });
/** With a dead link. */
const WITHOUT_INDEX = zipOf({ 'a.html': '<a href="none.html">x</a>' });

describe('The metrics of a server', () => {
  let place: string;
  let server: SpawnedServer & { url: string };
  let text: string;
  before(async () => {
    place = await mkdtemp(join(tmpdir(), 'lectern-metrics-'));
    const data = join(place, 'data');
    await init(data);
    const tokens = JSON.parse(await readFile(join(data, 'tokens.json'), 'utf8'));
    const access = join(place, 'access.json');
    await writeFile(access, '{ "default": "public", "projects": { "vault": { "people": [] } } }');
    server = await SpawnedServer.start([
      '--access',
      access,
      '-d',
      join(data, 'docs'),
      '--tokens',
      join(data, 'tokens.json'),
      '--metrics',
    ]);
    const upload = async (name: string, secret: string, archive = SITE) => {
      const form = new FormData();
      form.set('file', new Blob([new Uint8Array(archive)]), name);
      const headers = { 'X-Token': secret };
      return (await fetch(`${server.url}/api/upload`, { method: 'POST', body: form, headers })).status;
    };
    assert.equal(await upload('peculiar-1.0-docs.zip', tokens.tokens.admin.token), 201);
    assert.equal(await upload('peculiar-1.1-docs.zip', tokens.tokens.admin.token, WITHOUT_INDEX), 201);
    assert.equal(await upload('vault-1.0-docs.zip', tokens.tokens.admin.token, WITHOUT_INDEX), 201);
    assert.equal(await upload('peculiar-1.2-docs.zip', 'wrong'), 401);
    for (const path of [
      '/peculiar-1.0/',
      '/peculiar-1.0/nowhere',
      '/api/projects?search=peculiar',
      '/peculiar-1.0/',
    ]) {
      await (
        await fetch(server.url + path, { headers: { 'User-Agent': 'peculiar', Referer: 'peculiar' } })
      ).text();
    }
    const answer = await fetch(`${server.url}/-/metrics`);
    assert.match(answer.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    text = await answer.text();
  });
  after(async () => {
    await server.stop();
    await rm(place, { recursive: true, force: true });
  });

  it('count events', async () => {
    assert.equal(
      sampleOf(text, 'lectern_http_requests_total{route="upload",method="write",status="201"}'),
      3,
    );
    assert.equal(sampleOf(text, 'lectern_http_requests_total{route="site",method="read",status="200"}'), 2);
    assert.equal(sampleOf(text, 'lectern_http_requests_total{route="site",method="read",status="404"}'), 1);
    assert.equal(sampleOf(text, 'lectern_http_request_duration_seconds_bucket{le="+Inf",route="upload"}'), 4);
    assert.equal(sampleOf(text, 'lectern_http_request_duration_seconds_count{route="upload"}'), 4);
    assert.ok(sampleOf(text, 'lectern_http_request_duration_seconds_sum{route="upload"}') > 0);
    assert.equal(sampleOf(text, 'lectern_refusals_total{code="authentication_required"}'), 1);
    assert.equal(sampleOf(text, 'lectern_upload_bytes_total'), SITE.length + 2 * WITHOUT_INDEX.length);
    assert.equal(sampleOf(text, 'lectern_upload_warnings_total{code="no_index"}'), 2);
    assert.equal(sampleOf(text, 'lectern_projects'), 2);
    assert.equal(sampleOf(text, 'lectern_versions'), 3);
    assert.equal(sampleOf(text, 'lectern_dead_links'), 1, 'not those of a private project');
    assert.equal(sampleOf(text, 'lectern_ready'), 1);
    assert.ok(sampleOf(text, 'lectern_disk_free_bytes') > 0);
    assert.ok(sampleOf(text, 'process_resident_memory_bytes') > 10_000_000);
    const pages =
      sampleOf(text, 'lectern_page_cache_hits_total') + sampleOf(text, 'lectern_page_cache_misses_total');
    assert.equal(pages, 2);
  });

  it('have buckets that only grow from bound to bound', () => {
    const counts = text
      .split('\n')
      .filter((line) => /^lectern_http_request_duration_seconds_bucket\{.*route="upload"/.test(line))
      .map((line) => Number(line.split(' ')[1]));
    assert.equal(counts.length, 10);
    assert.deepEqual(
      counts,
      [...counts].sort((a, b) => a - b),
    );
  });

  it('have no label controlled by clients, and no codes beside the closed list', () => {
    assert.doesNotMatch(text, /peculiar|nowhere/);
    const codes = [...text.matchAll(/code="(\w+)"/g)].map((match) => match[1] ?? '');
    assert.deepEqual(
      codes.filter((code) => !(code in STATUS_OF || (WARNING_CODES as readonly string[]).includes(code))),
      [],
    );
    const labels = new Set([...text.matchAll(/[{,](\w+)="/g)].map((match) => match[1] ?? ''));
    // Names of tokens are those of the tokens file.
    assert.deepEqual(
      [...text.matchAll(/token="(.*)"/g)].map((match) => match[1]),
      ['admin'],
    );
    const ours = ['route', 'method', 'status', 'code', 'le', 'version', 'token'];
    const ofNode = ['type', 'kind', 'space', 'major', 'minor', 'patch'];
    assert.deepEqual(
      [...labels].filter((label) => !ours.includes(label) && !ofNode.includes(label)),
      [],
    );
  });

  it('omit unknown values when the docs directory is missing, and report that the server is not ready', async () => {
    const docs = join(place, 'data', 'docs');
    const metrics = async () => (await fetch(`${server.url}/-/metrics`)).text();
    await rename(docs, `${docs}.away`);
    let without = '';
    await until(async () => {
      without = await metrics();
      return sampleOf(without, 'lectern_ready') === 0;
    });
    await rename(`${docs}.away`, docs);
    assert.doesNotMatch(without, /^lectern_(?:versions|projects|dead_links|disk_free_bytes) /m);
    await until(async () => sampleOf(await metrics(), 'lectern_versions') === 3);
  });

  describe('Queries of metrics', () => {
    const exposed = () => {
      const names = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = '', type]) =>
        type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
      );
      return new Set(names);
    };
    const check = (expressions: readonly string[]) => {
      const names = expressions.flatMap(namesIn);
      assert.ok(names.length >= expressions.length, 'each expression names a metric');
      assert.deepEqual(
        names.filter((name) => !exposed().has(name)),
        [],
      );
      const given = ['job', 'instance', 'route', 'status', 'method', 'code', 'le', 'version'];
      assert.deepEqual(
        expressions.flatMap(labelsIn).filter((label) => !given.includes(label)),
        [],
      );
    };

    it('name exposed metrics in the dashboard, whose panels do not overlap', async () => {
      const file = await readFile(join(ROOT, 'deploy/grafana/lectern.json'), 'utf8');
      const { panels, templating } = JSON.parse(file) as Dashboard;
      check(panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)));
      for (const { query } of templating.list.slice(1))
        assert.equal(namesIn(JSON.stringify(query).replaceAll('"', '')).length, 1);
      const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
        Array.from({ length: w * h }, (_, n) => `${x + (n % w)} ${y + Math.floor(n / w)}`),
      );
      assert.equal(new Set(cells).size, cells.length);
    });

    it('name exposed metrics in the alerts', async () => {
      const { groups } = parse(await readFile(join(ROOT, 'deploy/prometheus/alerts.yml'), 'utf8')) as {
        groups: readonly { rules: readonly Rule[] }[];
      };
      const rules = groups.flatMap((group) => group.rules);
      assert.deepEqual(
        rules.map(({ alert }) => alert),
        ['LecternDown', 'LecternFailing', 'LecternDiskNearlyFull', 'LecternClockDoubtful'],
      );
      check(rules.map(({ expr }) => expr));
      const codes = rules.flatMap(({ expr }) => /code=~"([^"]*)"/.exec(expr)?.[1]?.split('|') ?? []);
      assert.deepEqual(
        codes.filter((code) => !(code in STATUS_OF || (WARNING_CODES as readonly string[]).includes(code))),
        [],
      );
      for (const { annotations } of rules) assert.ok(annotations.summary && annotations.description);
    });
  });

  it('are recognised by name and label in an expression', () => {
    assert.deepEqual(namesIn('rate(lectern_x_total{a="lectern_y"}[5m]) / nodejs_z'), [
      'lectern_x_total',
      'nodejs_z',
    ]);
    assert.deepEqual(labelsIn('sum by (le, route) (rate(x{job="a", b=~"c"}[1m]))'), [
      'job',
      'b',
      'le',
      'route',
    ]);
  });
});
