import type { Middleware } from 'koa';
import type { UseCases } from '../../application/index.js';
import type { UploadGate } from './api/upload-gate.js';
import type { UploadPace } from './api/upload-pace.js';
import type { LibraryFiles } from './own/library-files.js';
import type { Pages } from './pages.js';
import type { PublicAddress } from './public-address.js';
import type { TextCache } from './response/text-cache.js';
import type { Logger, RequestLog, RequestState } from './server/request-log.js';
import type { AccelRedirect } from './sites/accel-redirect.js';
import type { SwitcherTag } from './sites/switcher-tag.js';

/** Sources of the server's own pages. */
export interface OwnPages {
  readonly pages: Pages;
  /** Directory whose `-/assets/` holds the files of these pages. */
  readonly publicDirectory: string;
  /** Third-party files for scripts; only the pages that take a token need any. */
  readonly libraries?: readonly LibraryFiles[];
}

/** Everything that the handlers of the Koa application use. */
export interface AppParts extends OwnPages {
  readonly useCases: UseCases;
  readonly at: PublicAddress;
  /** Lectern's version: the package's, or `DEV`. */
  readonly version: string;
  readonly gate: UploadGate;
  readonly uploadPace: UploadPace;
  readonly switcher: SwitcherTag;
  readonly texts: TextCache;
  /** Caches responses in memory. */
  readonly keep: Middleware<RequestState>;
  readonly logger: Logger;
  readonly requestLog: RequestLog;
  /** Whether `X-Forwarded-Proto` and `-Host` are believed: only behind a proxy that sets them. */
  readonly trustProxy: boolean;
  readonly accelRedirect?: AccelRedirect | undefined;
}
