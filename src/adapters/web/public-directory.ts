import { fileURLToPath } from 'node:url';

/**
 * The absolute path of the folder that is served at the root of the server. Everything in it lives under `-/`,
 * where no site can collide: `public/-/assets/lectern.css` is addressed as `/-/assets/lectern.css`.
 */
export const publicDirectory: string = fileURLToPath(new URL('./public', import.meta.url));
