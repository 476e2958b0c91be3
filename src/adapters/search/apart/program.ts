import { fileURLToPath } from 'node:url';

const isSource = import.meta.url.endsWith('.ts');

/** Path of a module of this folder that is run as a process or thread of its own. */
export function programOf(name: string): string {
  return fileURLToPath(new URL(`./${name}.${isSource ? 'ts' : 'js'}`, import.meta.url));
}

/**
 * Node's options for it. Those of this process are not inherited: `--input-type` would be refused. Sources run under tsx,
 * which hooks only the main thread on Node 20, so a thread registers it itself.
 */
export function nodeOptions(): string[] {
  if (!isSource) return [];
  const register = `import{register}from"${import.meta.resolve('tsx/esm/api')}";register()`;
  return ['--import', `data:text/javascript,${register}`];
}
