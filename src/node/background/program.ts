import { fileURLToPath } from 'node:url';

/**
 * Path of a module that is run as a thread or process of its own.
 * @param from `import.meta.url` of a module
 * @param name relative to that module, without extension: `./jobs`
 */
export function programBeside(from: string, name: string): string {
  return fileURLToPath(new URL(`${name}.${isSource(from) ? 'ts' : 'js'}`, from));
}

/**
 * Returns Node's options for such a module. This process's options are not inherited: `--input-type` would be refused.
 * Sources run under tsx, which hooks only the main thread on Node 20, so a thread registers it itself.
 */
export function nodeOptions(): string[] {
  if (!isSource(import.meta.url)) return [];
  const register = `import{register}from"${import.meta.resolve('tsx/esm/api')}";register()`;
  return ['--import', `data:text/javascript,${register}`];
}

function isSource(url: string): boolean {
  return url.endsWith('.ts');
}
