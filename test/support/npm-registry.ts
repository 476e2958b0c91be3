import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './root.js';

/** Package of package-lock.json, with the fields that a registry passes on from its manifest. */
interface Locked {
  readonly version: string;
  readonly integrity: string;
  readonly dev?: true;
}

/** Version of a package, as a registry describes it. */
type Manifest = Readonly<Record<string, unknown>> & { readonly dist: Readonly<Record<string, string>> };

/** Part of the answer of `npm pack --json`. */
interface Fetched {
  readonly name: string;
  readonly version: string;
  readonly filename: string;
}

const TARBALLS = '/-/tarballs/';
const MAX_OUTPUT = 2 ** 28;
/** A registry sets it on a version whose tarball has an npm-shrinkwrap.json: npm installs by that file. */
const LOCKED_INSIDE = { _hasShrinkwrap: true };

/**
 * Registry of npm that has this package and the libraries that it locks, and nothing else. The libraries' tarballs are those of
 * their own registry, from npm's cache where it has them; npm compares them with the hashes in the lock when it installs.
 */
export class NpmRegistry {
  private constructor(
    private readonly server: Server,
    readonly url: string,
    /** Paths that were asked for, and are not there. */
    readonly missed: readonly string[],
  ) {}

  /**
   * @param tarball of this package
   * @param place directory for the tarballs of the libraries
   */
  static async start(tarball: string, place: string): Promise<NpmRegistry> {
    const tarballs = new Map<string, string>([[basename(tarball), tarball]]);
    const packages = new Map<string, Record<string, Manifest>>();
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const add = (name: string, version: string, manifest: object, file: string, integrity: string) => {
      const dist = { tarball: `${url}${TARBALLS}${file}`, integrity };
      packages.set(name, { ...packages.get(name), [version]: { ...manifest, name, version, dist } });
    };

    const libraries = await lockedLibraries();
    for (const { name, version, filename } of await fetchTarballs(libraries, place)) {
      tarballs.set(filename, join(place, filename));
      const { integrity, ...locked } = libraries.get(`${name}@${version}`) ?? assert.fail(name);
      add(name, version, locked, filename, integrity);
    }
    const own = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
    const { devDependencies: _, ...manifest } = { ...own, ...LOCKED_INSIDE };
    const digest = createHash('sha512')
      .update(await readFile(tarball))
      .digest('base64');
    add(own.name, own.version, manifest, basename(tarball), `sha512-${digest}`);

    const missed: string[] = [];
    server.on('request', async ({ url: asked = '' }, response) => {
      const path = decodeURIComponent(asked);
      const file = path.startsWith(TARBALLS) ? tarballs.get(path.slice(TARBALLS.length)) : undefined;
      const versions = packages.get(path.slice(1));
      if (file !== undefined) response.end(await readFile(file));
      else if (versions !== undefined) response.end(JSON.stringify(packument(path.slice(1), versions)));
      else {
        missed.push(path);
        response.writeHead(404).end('{}');
      }
    });
    return new NpmRegistry(server, url, missed);
  }

  /**
   * Environment of somebody who has just installed Node: nothing of npm's is kept at home, and nothing but this registry
   * is reached.
   */
  environment(home: string): NodeJS.ProcessEnv {
    const nowhere = 'http://127.0.0.1:9/';
    return {
      PATH: process.env.PATH,
      HOME: home,
      npm_config_registry: this.url,
      npm_config_proxy: nowhere,
      npm_config_https_proxy: nowhere,
      npm_config_noproxy: '127.0.0.1',
    };
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

const packument = (name: string, versions: Readonly<Record<string, Manifest>>) => ({
  name,
  'dist-tags': { latest: Object.keys(versions).at(-1) },
  versions,
});

/** Libraries by name and version, as npm takes them. Those for other machines are among them: npm installs them, too. */
async function lockedLibraries(): Promise<ReadonlyMap<string, Locked>> {
  const { packages } = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, Locked>>;
  };
  const folder = 'node_modules/';
  return new Map(
    Object.entries(packages)
      .filter(([path, { dev }]) => path !== '' && dev !== true)
      .map(([path, locked]) => [
        `${path.slice(path.lastIndexOf(folder) + folder.length)}@${locked.version}`,
        locked,
      ]),
  );
}

async function fetchTarballs(
  libraries: ReadonlyMap<string, Locked>,
  place: string,
): Promise<readonly Fetched[]> {
  await mkdir(place, { recursive: true });
  const words = ['pack', '--json', '--prefer-offline', '--pack-destination', place, ...libraries.keys()];
  const { stdout } = await promisify(execFile)('npm', words, { maxBuffer: MAX_OUTPUT });
  return JSON.parse(stdout);
}
