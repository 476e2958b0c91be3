import assert from 'node:assert/strict';
import { chmod, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { before, describe, it } from 'node:test';
import { parse } from 'yaml';
import { SERVE_OPTIONS } from '../../src/adapters/cli/options/serve-option-table.js';
import { skipUnless } from '../support/needs.js';
import { needsNginx, startNginx } from '../support/nginx.js';
import { ROOT } from '../support/root.js';
import { TestServer } from '../support/server.js';
import { assertOptions, assertVariables, MIN_STOPPING_SECONDS, textOf } from './deployed.js';
import { parseDockerfile, type Stage } from './dockerfile.js';

const DOCKER = join(ROOT, 'deploy/docker');

interface Service {
  readonly image: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes: readonly string[];
  readonly secrets?: readonly (string | { readonly source: string; readonly target: string })[];
  readonly ports?: readonly string[];
  readonly network_mode?: string;
  readonly stop_grace_period?: string;
  readonly read_only: boolean;
  readonly cap_drop?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly security_opt?: readonly string[];
}

describe('compose.yml', () => {
  let services: { readonly lectern: Service; readonly nginx: Service };
  let compose: { readonly services: typeof services; readonly volumes: object; readonly secrets: object };
  let stages: readonly Stage[];
  const needsRoot = skipUnless(process.getuid?.() === 0, 'only root has capabilities to give away');

  it('leaves nginx the capabilities that it needs', { ...needsNginx, ...needsRoot }, async (t) => {
    const server = await TestServer.start({ trustProxy: true });
    t.after(() => server.close());
    await chmod(server.docs, 0o755);
    await server.upload('tool-1.0-docs.zip', { 'index.html': 'front' });
    const kept = (services.nginx.cap_add ?? []).map((name) => `,+${name.toLowerCase()}`).join('');
    const nginx = await startNginx(server.docs, server.url, {}, [
      'setpriv',
      `--bounding-set=-all${kept}`,
      '--inh-caps=-all',
      '--no-new-privs',
    ]);
    t.after(() => nginx.close());
    assert.equal(await (await fetch(`${nginx.url}/tool-1.0/`)).text(), 'front');
  });

  before(async () => {
    compose = parse(await textOf(DOCKER, 'compose.yml'));
    services = compose.services;
    stages = parseDockerfile(await textOf(DOCKER, 'Dockerfile'));
  });

  it('builds the Dockerfile of this repository, and pins every image', async () => {
    const { context = '', dockerfile = '' } = services.lectern.build ?? {};
    assert.equal(join(DOCKER, context, dockerfile), join(DOCKER, 'Dockerfile'));
    for (const image of [services.nginx.image, ...stages.map((stage) => stage.image)]) {
      assert.match(image, /^\w+:\d+\.\d+\.\d+-[a-z-]+$/);
    }
  });

  it('sets existing options and variables, and mounts declared volumes', async () => {
    const { command = [], environment = {}, secrets = [] } = services.lectern;
    assert.equal(command[0], 'serve');
    assertOptions(command.slice(1));
    assertVariables(Object.keys(environment));
    const sources = [...secrets, ...(services.nginx.secrets ?? [])].map((secret) =>
      typeof secret === 'string' ? secret : secret.source,
    );
    assert.deepEqual(Object.keys(compose.secrets), sources);
    assert.equal(environment.LECTERN_TOKENS, `/run/secrets/${secrets[0]}`);
    for (const { volumes } of [services.lectern, services.nginx]) {
      for (const [source = ''] of volumes.map((volume) => volume.split(':'))) {
        if (source.startsWith('.')) assert.ok((await stat(join(DOCKER, source))).isFile(), source);
        else assert.ok(source in compose.volumes, source);
      }
    }
  });

  it('lets nginx find Lectern and its files where lectern.conf looks for them', async () => {
    const conf = await textOf(ROOT, 'deploy/nginx/lectern.conf');
    const [volume, mount = ''] = services.lectern.volumes[0]?.split(':') ?? [];
    const dockerfile = await textOf(DOCKER, 'Dockerfile');
    const [, docs = ''] = new RegExp(`LECTERN_DOCS=${mount}(/\\S+)`).exec(dockerfile) ?? [];
    // The same volume, mounted where each of them expects it.
    const [, forNginx, mode] =
      services.nginx.volumes.find((each) => each.startsWith(`${volume}:`))?.split(':') ?? [];
    assert.ok(conf.includes(`root ${forNginx}${docs}/.lectern/public;`));
    assert.ok(conf.includes(`alias ${forNginx}${docs}/;`));
    // The volume takes over the owner from Lectern's image, not from nginx's, which is started first.
    assert.equal(mode, 'ro,nocopy');
    assert.match(
      conf,
      new RegExp(`server ${services.lectern.environment?.LECTERN_HOST}:${SERVE_OPTIONS.port.default};`),
    );
    // The network of the service that is not restarted after a crash of Lectern: a restarted container gets a new one of its own.
    assert.equal(services.lectern.network_mode, 'service:nginx');
    assert.deepEqual([services.nginx.network_mode, services.lectern.ports], [undefined, undefined]);
    // The configuration names the options that Lectern has to be started with.
    const [, wanted = ''] = /lectern -d \S+ --tokens \S+ (--.*)/.exec(conf) ?? [];
    assert.equal(services.lectern.command?.slice(1).join(' '), wanted);
    assert.deepEqual(
      [...conf.matchAll(/listen (\d+)\b/g)].map(([, port]) => `${port}:${port}`),
      services.nginx.ports,
    );
    const targets = services.nginx.secrets?.map((secret) => typeof secret === 'object' && secret.target);
    assert.deepEqual(
      [...conf.matchAll(/ssl_certificate(?:_key)? +([^;]+);/g)].map(([, path]) => path),
      targets,
    );
  });

  it('runs both services without a writable root or privilege escalation, and with time to stop', () => {
    for (const service of [services.lectern, services.nginx]) {
      assert.equal(service.read_only, true);
      assert.deepEqual(service.cap_drop, ['ALL']);
      assert.deepEqual(service.security_opt, ['no-new-privileges:true']);
    }
    assert.equal(services.lectern.cap_add, undefined);
    assert.ok(Number.parseInt(services.lectern.stop_grace_period ?? '', 10) >= MIN_STOPPING_SECONDS);
  });
});

describe('object-store.yml', () => {
  const NODES = ['lectern-1', 'lectern-2', 'lectern-3'];
  let services: Readonly<Record<string, Service>>;
  let compose: { readonly services: typeof services; readonly volumes: object; readonly secrets: object };
  let conf: string;
  before(async () => {
    compose = parse(await textOf(DOCKER, 'object-store.yml'), { merge: true });
    services = compose.services;
    conf = await textOf(ROOT, 'deploy/nginx/object-store.conf');
  });
  const lecterns = () => NODES.flatMap((name) => services[name] ?? []);

  it('names the Lecterns that nginx asks, and nginx as they expect it', () => {
    assert.deepEqual(Object.keys(services), [...NODES, 'nginx']);
    const asked = [...conf.matchAll(/server (lectern-\d):(\d+) max_fails/g)];
    assert.deepEqual(
      asked.map(([, name]) => name),
      NODES,
    );
    assert.ok(asked.every(([, , port]) => port === String(SERVE_OPTIONS.port.default)));
    const nginx = services.nginx;
    assert.deepEqual(
      [...conf.matchAll(/listen (\d+)\b(?!\.)/g)].map(([, port]) => `${port}:${port}`),
      nginx?.ports,
    );
    const targets = nginx?.secrets?.map((secret) => typeof secret === 'object' && secret.target);
    assert.deepEqual(
      [...conf.matchAll(/ssl_certificate(?:_key)? +([^;]+);/g)].map(([, path]) => path),
      targets,
    );
    const [, copies] = /proxy_cache_path (\S+)/.exec(conf) ?? [];
    assert.ok(nginx?.volumes.includes(`pages:${copies}`));
  });

  it('sets existing options and variables, and gives each Lectern its own cache', async () => {
    const dockerfile = await textOf(DOCKER, 'Dockerfile');
    for (const { command = [], environment = {}, secrets = [], volumes } of lecterns()) {
      assert.equal(command[0], 'serve');
      assertOptions(command.slice(1));
      assertVariables(Object.keys(environment).filter((name) => !name.startsWith('AWS_')));
      for (const path of Object.values(environment)) {
        assert.ok(secrets.includes(path.replace('/run/secrets/', '')), path);
      }
      const [, mount = ''] = volumes[0]?.split(':') ?? [];
      assert.equal(dirname(command[command.indexOf('--cache-dir') + 1] ?? ''), mount);
      // A volume takes over the owner of the directory that it is mounted on.
      assert.ok(dockerfile.includes(`--chown=1000:1000 /build/empty ${mount}\n`));
      const wanted = /lectern --store \S+ --tokens \S+ (--.*) --host 0\.0\.0\.0/.exec(conf)?.[1] ?? '-';
      assert.ok(command.join(' ').endsWith(wanted), wanted);
    }
    assert.equal(new Set(lecterns().flatMap(({ volumes }) => volumes)).size, NODES.length);
    for (const service of Object.values(services)) {
      for (const [source = ''] of service.volumes.map((volume) => volume.split(':'))) {
        if (source.startsWith('.')) assert.ok((await stat(join(DOCKER, source))).isFile(), source);
        else assert.ok(source in compose.volumes, source);
      }
    }
  });

  it('runs all services without a writable root or privilege escalation, and with time to stop', () => {
    for (const service of Object.values(services)) {
      assert.equal(service.read_only, true);
      assert.deepEqual(service.cap_drop, ['ALL']);
      assert.deepEqual(service.security_opt, ['no-new-privileges:true']);
    }
    for (const { stop_grace_period = '', cap_add } of lecterns()) {
      assert.equal(cap_add, undefined);
      assert.ok(Number.parseInt(stop_grace_period, 10) >= MIN_STOPPING_SECONDS);
    }
    assert.match(services.nginx?.image ?? '', /^\w+:\d+\.\d+\.\d+-[a-z-]+$/);
  });
});

describe('The configuration of nginx for an object store', () => {
  it('keeps idle connections to a Lectern no longer than Lectern does', async () => {
    const conf = await textOf(ROOT, 'deploy/nginx/object-store.conf');
    const [, seconds] = /upstream lectern \{[^}]*keepalive_timeout (\d+)s;/.exec(conf) ?? [];
    assert.ok(Number(seconds) * 1_000 < createServer().keepAliveTimeout);
  });
});
