import assert from 'node:assert/strict';
import { chmod, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { parse } from 'yaml';
import { SERVE_OPTIONS } from '../../src/adapters/cli/serve-options.js';
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
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
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

  it('sets options and variables that exist, and mounts what it declares', async () => {
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
    const [, docs] = services.lectern.volumes[0]?.split(':') ?? [];
    assert.ok(conf.includes(`root ${docs}/.lectern/public;`));
    assert.ok(services.nginx.volumes.includes(`docs:${docs}:ro`));
    assert.match(
      conf,
      new RegExp(`server ${services.lectern.environment?.LECTERN_HOST}:${SERVE_OPTIONS.port.default};`),
    );
    assert.equal(services.nginx.network_mode, 'service:lectern');
    // What the file itself says that Lectern has to be started with.
    const [, wanted = ''] = /lectern -d \S+ --tokens \S+ (--.*)/.exec(conf) ?? [];
    assert.equal(services.lectern.command?.slice(1).join(' '), wanted);
    assert.deepEqual(
      [...conf.matchAll(/listen (\d+)\b/g)].map(([, port]) => `${port}:${port}`),
      services.lectern.ports,
    );
    const targets = services.nginx.secrets?.map((secret) => typeof secret === 'object' && secret.target);
    assert.deepEqual(
      [...conf.matchAll(/ssl_certificate(?:_key)? +([^;]+);/g)].map(([, path]) => path),
      targets,
    );
    assert.equal(services.nginx.depends_on?.lectern?.condition, 'service_healthy');
  });

  it('runs both services without a writable root and without rights to gain, and leaves time to stop', () => {
    for (const service of [services.lectern, services.nginx]) {
      assert.equal(service.read_only, true);
      assert.deepEqual(service.cap_drop, ['ALL']);
      assert.deepEqual(service.security_opt, ['no-new-privileges:true']);
    }
    assert.equal(services.lectern.cap_add, undefined);
    assert.ok(Number.parseInt(services.lectern.stop_grace_period ?? '', 10) >= MIN_STOPPING_SECONDS);
  });
});
