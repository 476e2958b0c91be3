import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, release, totalmem } from 'node:os';

/** Processors: the first for the server alone, the second for its clients. */
export const CORES = { server: '0', load: '1', both: '0,1' } as const;

const PACKAGES: Readonly<Record<string, string>> = {
  wrk: 'wrk',
  nginx: 'nginx-light',
  taskset: 'util-linux',
  unzip: 'unzip',
  zip: 'zip',
};

/** Ends this process with a plain word when something that it measures with is missing. */
export function requirePrograms(...programs: readonly string[]): void {
  if (availableParallelism() < 2) fail('this needs two processors: one for the server, one for the load');
  const missing = programs.filter((program) => !isInstalled(program));
  if (missing.length === 0) return;
  const packages = missing.map((program) => PACKAGES[program] ?? program).join(' ');
  fail(`missing: ${missing.join(', ')}. On Debian: apt-get update && apt-get install -y ${packages}`);
}

export function isInstalled(program: string): boolean {
  const path = `${process.env.PATH ?? ''}:/usr/sbin:/sbin`;
  return path.split(':').some((directory) => existsSync(`${directory}/${program}`));
}

/** A measurement that hangs must not hang a whole run. */
export function endAfter(minutes: number): void {
  setTimeout(() => fail(`not done after ${minutes} minutes`), minutes * 60_000).unref();
}

export function describeMachine(): string {
  const processors = cpus();
  const facts = [
    `${processors.length} × ${processors[0]?.model.trim() ?? 'unknown processor'}`,
    `${Math.round(totalmem() / 2 ** 30)} GiB`,
    `Linux ${release()}`,
    `Node ${process.versions.node}`,
    ...['nginx -v', 'wrk -v', 'unzip -v', '/usr/bin/python3 --version'].map(versionOf),
    `load before the run ${loadavg()[0]?.toFixed(1)}`,
    new Date().toISOString().slice(0, 10),
  ];
  return facts.filter((fact) => fact !== '').join(' · ');
}

function versionOf(command: string): string {
  try {
    const text = execFileSync('sh', ['-c', `${command} 2>&1; true`], { encoding: 'utf8' });
    return /(?:nginx|wrk|UnZip|Python)\D{0,10}[\d.]+/.exec(text)?.[0] ?? '';
  } catch {
    return '';
  }
}

function fail(why: string): never {
  console.error(`bench: ${why}`);
  process.exit(1);
}
