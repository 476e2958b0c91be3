import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Deployment, StatefulSet } from 'kubernetes-types/apps/v1.js';
import type { Service } from 'kubernetes-types/core/v1.js';
import type { Ingress, NetworkPolicy } from 'kubernetes-types/networking/v1.js';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.js';
import { parse } from 'yaml';
import { ROOT } from '../support/root.js';
import { textOf } from './deployed.js';

export interface Kustomization {
  readonly namespace?: string;
  readonly resources: readonly string[];
  readonly components?: readonly string[];
  readonly images?: readonly { readonly name: string; readonly newName: string; readonly newTag: string }[];
}

export type Resource = StatefulSet | Deployment | Service | PodDisruptionBudget | Ingress | NetworkPolicy;

/** The resources of a kustomization, with those of the directories that it names. */
export async function resourcesOf(directory: string): Promise<readonly Resource[]> {
  const { resources } = parse(await textOf(directory, 'kustomization.yaml')) as Kustomization;
  const found = resources.map(async (path) =>
    path.endsWith('.yaml') ? [parse(await textOf(directory, path))] : resourcesOf(join(directory, path)),
  );
  return (await Promise.all(found)).flat();
}

/** @returns what TypeScript has against a resource as one of Kubernetes' types, unknown fields among it */
export async function problemsOf(resources: readonly object[]): Promise<string> {
  const place = await mkdtemp(join(tmpdir(), 'lectern-kubernetes-'));
  try {
    await symlink(join(ROOT, 'node_modules'), join(place, 'node_modules'));
    const lines = resources.map((resource, index) => {
      const { apiVersion, kind } = resource as { apiVersion: string; kind: string };
      const types = apiVersion.includes('/') ? apiVersion.replace('.k8s.io/', '/') : `core/${apiVersion}`;
      return `export const r${index}: import('kubernetes-types/${types}.js').${kind} = ${JSON.stringify(resource)};`;
    });
    await writeFile(join(place, 'package.json'), '{"type": "module"}');
    await writeFile(join(place, 'resources.ts'), lines.join('\n'));
    const options = { module: 'nodenext', target: 'es2023', strict: true, noEmit: true, types: [] };
    await writeFile(
      join(place, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: options, files: ['resources.ts'] }),
    );
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    return spawnSync(process.execPath, [compiler, '-p', '.'], { cwd: place, encoding: 'utf8' }).stdout;
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}
