// The published types of @koa/multer describe multer 1; these use multer's own, as far as needed here.
declare module '@koa/multer' {
  import type { Middleware } from 'koa';
  import type { Options } from 'multer';

  export default function multer(options: Options): { any(): Middleware };
}
