import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { before, describe, it } from 'node:test';
import type { Deployment, StatefulSet } from 'kubernetes-types/apps/v1.js';
import type { Container, PodSpec, Service, Volume } from 'kubernetes-types/core/v1.js';
import type { Ingress, NetworkPolicy } from 'kubernetes-types/networking/v1.js';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.js';
import { parse } from 'yaml';
import { openCacheDirectory } from '../../src/adapters/object-store/index.js';
import { ROOT } from '../support/root.js';
import { TestServer } from '../support/server.js';
import { assertOptions, assertVariables, MIN_STOPPING_SECONDS, textOf } from './deployed.js';
import { parseDockerfile } from './dockerfile.js';
import { type Kustomization, problemsOf, type Resource, resourcesOf } from './kubernetes.js';

const PLACE = join(ROOT, 'deploy/kubernetes');
const LABELS = { 'app.kubernetes.io/name': 'lectern' };

for (const [variant, kind] of [
  ['volume', 'StatefulSet'],
  ['object-store', 'Deployment'],
] as const) {
  describe(`deploy/kubernetes/${variant}`, () => {
    let kustomization: Kustomization;
    let resources: readonly Resource[];
    let workload: StatefulSet | Deployment;
    let pod: PodSpec;
    let container: Container;
    before(async () => {
      kustomization = parse(await textOf(PLACE, variant, 'kustomization.yaml'));
      resources = await resourcesOf(join(PLACE, variant));
      workload = resources.find((resource) => resource.kind === kind) as StatefulSet | Deployment;
      pod = workload.spec?.template.spec ?? assert.fail('no pod');
      assert.equal(pod.containers.length, 1);
      container = pod.containers[0] as Container;
    });

    it('has only fields known to Kubernetes', async () => {
      assert.equal(await problemsOf(resources), '');
      const [wrong] = resources
        .filter((resource) => resource.kind === kind)
        .map((each) => structuredClone(each));
      Object.assign((wrong as Deployment).spec?.template.spec ?? {}, { enableServiceLink: false });
      assert.match(
        await problemsOf([wrong as object]),
        /'"enableServiceLink"' does not exist in type 'PodSpec'/,
      );
    });

    it('runs the image of this version', async () => {
      const { version } = JSON.parse(await textOf(ROOT, 'package.json')) as { version: string };
      assert.deepEqual(
        kustomization.images?.map(({ name, newTag }) => [name, newTag]),
        [[container.image, version]],
      );
    });

    it("probes the server's health at the port of the image", async (t) => {
      const server = await TestServer.start();
      t.after(() => server.close());
      const { livenessProbe, readinessProbe, startupProbe } = container;
      assert.equal(startupProbe?.httpGet?.path, livenessProbe?.httpGet?.path);
      for (const [probe, key] of [
        [livenessProbe, 'healthy'],
        [readinessProbe, 'ready'],
      ] as const) {
        const answer = await server.get(probe?.httpGet?.path ?? '');
        assert.equal(((await answer.json()) as Record<string, unknown>)[key], true);
        assert.equal(probe?.httpGet?.port, container.ports?.[0]?.name);
      }
      const image = parseDockerfile(await textOf(ROOT, 'deploy/docker/Dockerfile')).at(-1);
      const exposed = image?.instructions.find(({ name }) => name === 'EXPOSE')?.text;
      assert.deepEqual(
        container.ports?.map(({ containerPort }) => String(containerPort)),
        [exposed],
      );
    });

    it('sets existing options and variables, and excludes those that Kubernetes derives from the Service', () => {
      const [command, ...options] = container.args ?? [];
      assert.equal(command, 'serve');
      assertOptions(options);
      const names = container.env?.map(({ name }) => name) ?? [];
      assertVariables(names.filter((name) => !name.startsWith('AWS_')));
      assert.equal(pod.enableServiceLinks, false);
    });

    it('mounts each secret read-only at its path, and every written path, and creates no first token', () => {
      const mounts = container.volumeMounts ?? [];
      const mountOf = (path: string) =>
        mounts.find(({ mountPath }) => path.startsWith(`${mountPath}/`)) ??
        assert.fail(`${path} is not mounted`);
      const claims =
        kind === 'StatefulSet' ? ((workload as StatefulSet).spec?.volumeClaimTemplates ?? []) : [];
      const volumes: readonly Partial<Volume>[] = [
        ...(pod.volumes ?? []),
        ...claims.map(({ metadata }) => ({ ...metadata })),
      ];
      assert.deepEqual(mounts.map(({ name }) => name).sort(), volumes.map(({ name }) => name).sort());
      const secrets = volumes.flatMap(({ name, secret }) => (secret === undefined ? [] : [name]));
      for (const { name, mountPath, readOnly } of mounts) {
        assert.equal(readOnly === true, secrets.includes(name), mountPath);
      }
      for (const volume of volumes) assert.equal(volume.secret?.defaultMode ?? 0o440, 0o440);
      const settingOf = (variable: string) => container.env?.find(({ name }) => name === variable)?.value;
      assert.ok(secrets.includes(mountOf(settingOf('LECTERN_TOKENS') ?? '').name));
      // Off, though the image sets it: tokens come from the secret alone.
      assert.equal(settingOf('LECTERN_FIRST_TOKEN'), '');
      const written =
        settingOf('LECTERN_DOCS') ?? container.args?.[container.args.indexOf('--cache-dir') + 1] ?? '';
      assert.ok(!secrets.includes(mountOf(written).name));
      // Not the root of a volume, which belongs to somebody else.
      assert.notEqual(mountOf(written).mountPath, written);
      assert.equal(dirname(written), mountOf(written).mountPath);
      mountOf('/tmp/any');
    });

    it('runs without privileges or a writable root, as a non-root user', () => {
      assert.equal(pod.automountServiceAccountToken, false);
      const { runAsNonRoot, runAsUser, fsGroup, seccompProfile } = pod.securityContext ?? {};
      assert.deepEqual(
        [runAsNonRoot, runAsUser, fsGroup, seccompProfile?.type],
        [true, 1000, 1000, 'RuntimeDefault'],
      );
      assert.deepEqual(container.securityContext, {
        readOnlyRootFilesystem: true,
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
      });
      assert.ok(container.resources?.limits?.memory);
    });

    it('gives a stopping server its full grace period', () => {
      const { args = [] } = container;
      const drain = args.includes('--drain-delay') ? Number(args[args.indexOf('--drain-delay') + 1]) : 0;
      assert.ok((pod.terminationGracePeriodSeconds ?? 0) >= drain + MIN_STOPPING_SECONDS);
      // The pod has to be seen as not ready before it stops answering.
      if (kind === 'Deployment') assert.ok(drain >= 2 * (container.readinessProbe?.periodSeconds ?? 10));
    });

    it('is selected by its Service, and by its disruption budget where there are several pods', () => {
      assert.deepEqual(workload.spec?.template.metadata?.labels, LABELS);
      assert.deepEqual(workload.spec?.selector.matchLabels, LABELS);
      const service = resources.find((resource) => resource.kind === 'Service') as Service;
      assert.deepEqual(service.spec?.selector, LABELS);
      assert.equal(service.spec?.ports?.[0]?.targetPort, container.ports?.[0]?.name);
      const budgets = resources.filter((resource) => resource.kind === 'PodDisruptionBudget');
      assert.equal(budgets.length, (workload.spec?.replicas ?? 1) > 1 ? 1 : 0);
      for (const { spec } of budgets as PodDisruptionBudget[])
        assert.deepEqual(spec?.selector?.matchLabels, LABELS);
    });

    it('is created by the documented commands, with the keys of its secrets', async () => {
      const operating = await readFile(join(ROOT, 'docs/operating.md'), 'utf8');
      assert.ok(operating.includes(`kubectl apply --kustomize deploy/kubernetes/${variant}`));
      assert.ok(operating.includes(`kubectl create namespace ${kustomization.namespace}`));
      for (const { secret, name } of pod.volumes ?? []) {
        if (secret === undefined) continue;
        const path = container.volumeMounts?.find((mount) => mount.name === name)?.mountPath;
        const file =
          container.env?.map(({ value = '' }) => value).find((value) => dirname(value) === path) ?? '';
        const made = `create secret generic ${secret.secretName} --from-file=${basename(file)}`;
        assert.ok(operating.includes(made), made);
      }
    });
  });
}

describe('deploy/kubernetes/ingress', () => {
  const VARIANTS = ['volume', 'object-store'];
  let ingress: Ingress;
  let policy: NetworkPolicy;
  let resources: readonly Resource[];
  before(async () => {
    resources = await resourcesOf(join(PLACE, 'ingress'));
    assert.deepEqual(
      resources.map(({ kind }) => kind),
      ['Ingress', 'NetworkPolicy'],
    );
    [ingress, policy] = resources as [Ingress, NetworkPolicy];
  });

  it('has only fields known to Kubernetes', async () => {
    assert.equal(await problemsOf(resources), '');
    const wrong = structuredClone(policy);
    Object.assign(wrong.spec ?? {}, { policyType: ['Ingress'] });
    assert.match(await problemsOf([wrong]), /'"policyType"' does not exist in type 'NetworkPolicySpec'/);
  });

  it('is a component that each variant names in a comment', async () => {
    const own = parse(await textOf(PLACE, 'ingress/kustomization.yaml'));
    assert.deepEqual([own.apiVersion, own.kind], ['kustomize.config.k8s.io/v1alpha1', 'Component']);
    for (const variant of VARIANTS) {
      const text = await textOf(PLACE, variant, 'kustomization.yaml');
      assert.equal(parse(text).components, undefined);
      const { components } = parse(text.replace('# components:', 'components:')) as Kustomization;
      assert.deepEqual(components, ['../ingress']);
    }
  });

  it("leads the host of --public-url, and no other, to the Service's port, over TLS", async () => {
    const [rule, ...others] = ingress.spec?.rules ?? [];
    assert.deepEqual(others, []);
    assert.deepEqual(ingress.spec?.tls?.[0]?.hosts, [rule?.host]);
    const [path] = rule?.http?.paths ?? [];
    assert.deepEqual([path?.path, path?.pathType], ['/', 'Prefix']);
    for (const variant of VARIANTS) {
      const found = await resourcesOf(join(PLACE, variant));
      const service = found.find(({ kind }) => kind === 'Service') as Service;
      assert.equal(path?.backend.service?.name, service.metadata?.name);
      assert.ok(service.spec?.ports?.some(({ name }) => name === path?.backend.service?.port?.name));
      const { args } = containerOf(found);
      assert.equal(args[args.indexOf('--public-url') + 1], `https://${rule?.host}`);
      assert.ok(args.includes('--trust-proxy'));
    }
  });

  it('lets bodies of any size through unbuffered, for as long as nginx on a machine does', async () => {
    const conf = await textOf(ROOT, 'deploy/nginx/lectern.conf');
    const nginx = (name: string) => new RegExp(`${name} (\\w+?)s?;`).exec(conf)?.[1] ?? assert.fail(name);
    const annotations = Object.entries(ingress.metadata?.annotations ?? {}).map(([name, value]) => [
      name.replace('nginx.ingress.kubernetes.io/', ''),
      value,
    ]);
    assert.deepEqual(Object.fromEntries(annotations), {
      'proxy-body-size': nginx('client_max_body_size'),
      'proxy-request-buffering': nginx('proxy_request_buffering'),
      'proxy-read-timeout': nginx('proxy_read_timeout'),
      'proxy-send-timeout': nginx('proxy_send_timeout'),
    });
  });

  it("lets one namespace reach the pods' port, and nothing else reach them", async () => {
    const { podSelector, policyTypes, ingress: allowed = [] } = policy.spec ?? {};
    assert.deepEqual(podSelector?.matchLabels, LABELS);
    assert.deepEqual(policyTypes, ['Ingress']);
    assert.equal(allowed.length, 1);
    assert.deepEqual(allowed[0]?.from, [
      { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress-nginx' } } },
    ]);
    for (const variant of VARIANTS) {
      const { ports } = containerOf(await resourcesOf(join(PLACE, variant)));
      assert.deepEqual(
        allowed[0]?.ports?.map(({ port }) => port),
        ports.map(({ name }) => name),
      );
    }
  });

  function containerOf(found: readonly Resource[]) {
    const isWorkload = ({ kind }: Resource) => kind === 'StatefulSet' || kind === 'Deployment';
    const workload = found.find(isWorkload) as StatefulSet | Deployment;
    const { args = [], ports = [] } =
      workload.spec?.template.spec?.containers[0] ?? assert.fail('no container');
    return { args, ports };
  }
});

describe('The cache of a pod', () => {
  it('is a directory in its volume: the server refuses the world-writable root', async (t) => {
    const volume = await mkdtemp(join(tmpdir(), 'lectern-volume-'));
    t.after(() => rm(volume, { recursive: true, force: true }));
    const root = join(volume, 'cache');
    await mkdir(root);
    await chmod(root, 0o2777);
    await assert.rejects(openCacheDirectory(root), /can be written by other users/);
    await openCacheDirectory(join(root, 'archives'));
  });
});
