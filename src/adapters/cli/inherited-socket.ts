import { StartError } from './start-error.js';

/** The first file descriptor passed by systemd (sd_listen_fds(3)). */
const FIRST = 3;

/**
 * Finds the listening socket of systemd socket activation.
 * @returns its file descriptor, or undefined without socket activation
 * @throws StartError when there is more than one
 */
export function inheritedSocket(env: NodeJS.ProcessEnv, pid: number): number | undefined {
  // The variables may be inherited from a parent process.
  if (env.LISTEN_PID !== String(pid) || env.LISTEN_FDS === undefined) return undefined;
  if (env.LISTEN_FDS !== '1') throw new StartError(`LISTEN_FDS: expected 1 socket, not ${env.LISTEN_FDS}`);
  return FIRST;
}
