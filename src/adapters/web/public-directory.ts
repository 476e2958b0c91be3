import { fileURLToPath } from 'node:url';

/**
 * Absolute path of the folder that is served at the root of the server. All its files are in `-/`, which no site can
 * be named: `public/-/assets/lectern.css` is served as `/-/assets/lectern.css`.
 */
export const publicDirectory: string = fileURLToPath(new URL('./public', import.meta.url));
