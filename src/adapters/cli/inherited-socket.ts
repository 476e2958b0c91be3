import { StartError } from './start-error.js';

/** The first descriptor that systemd hands over (sd_listen_fds(3)). */
const FIRST = 3;

/**
 * The listening socket that systemd holds for this process, if it was started for one.
 * @returns its file descriptor
 * @throws StartError when there is more than one
 */
export function inheritedSocket(env: NodeJS.ProcessEnv, pid: number): number | undefined {
  // Variables for another process may have come down to this one.
  if (env.LISTEN_PID !== String(pid) || env.LISTEN_FDS === undefined) return undefined;
  if (env.LISTEN_FDS !== '1') throw new StartError(`LISTEN_FDS: expected 1 socket, not ${env.LISTEN_FDS}`);
  return FIRST;
}
