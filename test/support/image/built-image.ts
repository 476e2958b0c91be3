import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { chownSync, copyFileSync, cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../root.js';
import { SpawnedServer } from '../spawned-server.js';

/** Configuration of the image, as docker inspects it. */
interface ImageConfig {
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly User: string;
  readonly WorkingDir: string;
  readonly Volumes: Readonly<Record<string, object>>;
  readonly Healthcheck: { readonly Test: readonly [kind: string, ...command: string[]] };
}

const IMAGE = 'localhost/lectern';
const BASE = 'localhost/lectern-base';
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

const text = (program: string, words: readonly string[]) =>
  execFileSync(program, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();

/**
 * The container image, built by buildah of Debian 12 without docker, with its file system mounted. Needs root, debootstrap, buildah,
 * and the network.
 */
export class BuiltImage {
  private constructor(
    readonly config: ImageConfig,
    /** Bytes of all its files that the base does not have. */
    readonly bytesOverBase: number,
    private readonly root: string,
  ) {}

  /**
   * @param work an empty directory, for some GB
   * @param base file system of the base
   */
  static build(work: string, base: string): BuiltImage {
    const storage = [
      '--root',
      join(work, 'store'),
      '--runroot',
      join(work, 'run'),
      '--storage-driver',
      'vfs',
    ];
    const buildah = (...words: string[]) => text('buildah', [...storage, ...words]);
    const mounted = (image: string) => buildah('mount', buildah('from', '--pull-never', image));
    const container = buildah('from', 'scratch');
    buildah('add', '--quiet', container, base, '/');
    buildah('commit', '--quiet', '--rm', container, BASE);
    const dockerfile = join(ROOT, 'deploy/docker/Dockerfile');
    // In docker's format, since OCI's has no health check.
    const format = ['--isolation', 'chroot', '--format', 'docker', '--build-arg', `BASE=${BASE}`];
    buildah('build', '--quiet', ...format, '--file', dockerfile, '--tag', IMAGE, ROOT);
    const { Docker } = JSON.parse(buildah('inspect', '--type', 'image', IMAGE));
    const root = mounted(IMAGE);
    return new BuiltImage(Docker.config, sizeOf(root) - sizeOf(mounted(BASE)), root);
  }

  /**
   * Runs a program of the image as `docker run --read-only --cap-drop ALL` would: as the image's user, with its environment and
   * nothing else, and with a directory as its volume.
   * @param env sets variables of the image anew
   */
  spawn(
    volume: string,
    command: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): SpawnedServer {
    const { Env, User, WorkingDir, Volumes } = this.config;
    const [uid = '', gid = ''] = User.split(':');
    const [mount = ''] = Object.keys(Volumes);
    // In a mount namespace of its own, which ends with the program.
    const isolated = `set -e
      mount --bind "$0" "$0"; mount -o remount,bind,ro "$0"
      mount --bind "$1" "$0$2"; mount --rbind /dev "$0/dev"; mount --bind /proc "$0/proc"
      root=$0; shift 2; exec chroot "$root" "$@"`;
    const variables = [...Env, ...Object.entries(env).map(([name, value]) => `${name}=${value}`)];
    const asUser = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
    const without = ['--bounding-set=-all', '--inh-caps=-all', '--no-new-privs'];
    const inside = [...asUser, ...without, 'env', '-i', `--chdir=${WorkingDir}`, ...variables, ...command];
    const words = ['--mount', 'sh', '-c', isolated, this.root, volume, mount, ...inside];
    return new SpawnedServer(spawn('unshare', words, { stdio: ['ignore', 'pipe', 'pipe'] }));
  }

  /** Runs what the image runs. */
  serve(volume: string, port: number): SpawnedServer {
    const { Entrypoint, Cmd } = this.config;
    return this.spawn(volume, [...Entrypoint, ...Cmd], { LECTERN_PORT: String(port) });
  }

  /** Runs a program in the image, as `docker exec` would. @returns its output */
  async execute(
    volume: string,
    command: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    const { code, stdout, stderr } = await this.spawn(volume, command, env).ended;
    assert.equal(code, 0, `${command.join(' ')}: ${stderr}`);
    return stdout.trim();
  }

  /** An empty directory as docker makes a volume of it: with the owner of the directory that it is mounted on. */
  makeVolume(directory: string): string {
    mkdirSync(directory);
    const [uid = '', gid = ''] = this.config.User.split(':');
    chownSync(directory, Number(uid), Number(gid));
    return directory;
  }
}

/** A file system like that of Docker Hub's `node`: Debian 12 with npm's build of Node 24, and this machine's npm. */
export function makeBase(directory: string): string {
  execFileSync('debootstrap', ['--variant=minbase', 'bookworm', directory], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  rmSync(join(directory, 'var/cache/apt'), { recursive: true });
  rmSync(join(directory, 'var/lib/apt/lists'), { recursive: true });
  const local = join(directory, 'usr/local');
  const node = text('npx', ['-y', '-p', 'node@24', 'node', '--print', 'process.execPath']);
  copyFileSync(node, join(local, 'bin/node'));
  const modules = join(local, 'lib/node_modules');
  mkdirSync(modules, { recursive: true });
  cpSync(join(text('npm', ['root', '--global']), 'npm'), join(modules, 'npm'), { recursive: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'));
  // npm asks the registry of this machine, and trusts whom this machine trusts.
  mkdirSync(join(directory, 'etc/ssl/certs'), { recursive: true });
  copyFileSync(CERTIFICATES, join(directory, CERTIFICATES));
  const settings = { cafile: CERTIFICATES, registry: text('npm', ['config', 'get', 'registry']) };
  mkdirSync(join(local, 'etc'), { recursive: true });
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(join(local, 'etc/npmrc'), lines.join(''));
  return directory;
}

/** Bytes of all files below a directory. */
function sizeOf(directory: string): number {
  return Number.parseInt(text('du', ['--summarize', '--bytes', directory]), 10);
}
