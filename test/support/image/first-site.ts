import assert from 'node:assert/strict';
import type { Corpus } from '../../../bench/corpus.js';
import { paste, type Step } from '../from-nothing.js';
import type { SpawnedServer } from '../spawned-server.js';
import { until } from '../until.js';
import type { BuiltImage } from './built-image.js';

/** A server that runs in the image, and the site that somebody has built. */
interface First {
  readonly image: BuiltImage;
  readonly server: SpawnedServer;
  readonly volume: string;
  /** Directory in which commands are typed. */
  readonly cwd: string;
  readonly site: Corpus;
}

/** The README's way with the container: reads the first token, and publishes by the command that the server prints. @returns the token */
export async function byImage({ image, server, volume, cwd, site }: First, step: Step): Promise<string> {
  await step('start', () => until(() => server.stderr.includes('\nPublish: ')));
  const printed = (pattern: RegExp) => pattern.exec(server.stderr)?.[1] ?? assert.fail(server.stderr);
  const read = printed(/^Token: +(cat \S+)$/m);
  const secret = await step('docker exec', () => image.execute(volume, read.split(' ')));
  const typed = printed(/^Publish: +(curl[\s\S]*?)\n\n/m)
    .replace('<token>', secret)
    .replace('build/html', site.directory)
    .replace('my-project', site.project)
    .replace('1.0.0', site.version);
  await step('curl, push', () => paste(typed, { cwd, env: process.env }));
  return secret;
}
