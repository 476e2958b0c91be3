import { type FeatureOptions, OptionReader, readServeOptions } from '../adapters/cli/index.js';
import type { HttpFeature } from '../adapters/http/index.js';
import { access } from './access/access.js';
import { agents } from './agents.js';
import { comparison } from './comparison.js';
import type { Feature } from './feature.js';
import { links } from './links.js';
import { retention } from './retention.js';
import { usage } from './usage.js';

/** The optional features: only this file lists them. */
export const FEATURES: readonly Feature[] = [access, retention, usage, agents, comparison, links];

/** The configuration of `lectern serve`. */
export type ServerConfig = ReturnType<typeof readServerConfig>;

/**
 * Reads the options of `lectern serve` from the flags, then the environment, then the defaults.
 * @param flags by camel-case name, as cac passes them
 * @throws StartError with the option and the expected value
 */
export function readServerConfig(flags: Readonly<Record<string, unknown>>, env: NodeJS.ProcessEnv) {
  const core = readServeOptions(flags, env);
  const read = <Name extends string, Config>({ table, read }: FeatureOptions<Name, Config>) =>
    read(new OptionReader(table, flags, env), core);
  return {
    ...core,
    ...read(access.options),
    ...read(retention.options),
    ...read(usage.options),
    ...read(agents.options),
  };
}

/** Loads the paths of all features. */
export function loadPaths(): Promise<readonly HttpFeature[]> {
  return Promise.all(FEATURES.flatMap(({ http }) => http?.() ?? []));
}
