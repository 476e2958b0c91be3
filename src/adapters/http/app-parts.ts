import type { Middleware } from 'koa';
import type { LocalStore, Pages, UseCases } from '../../application/index.js';
import type { Body } from '../../formats/api/bodies.js';
import type { Readers } from './access/readers.js';
import type { Tools } from './agents/tools.js';
import type { ApiOperation } from './api/api-operation.js';
import type { UploadPace } from './api/uploads/receive-upload.js';
import type { UploadGate } from './api/uploads/upload-gate.js';
import type { KeptFile } from './own/static-files.js';
import type { PublicAddress } from './public-address.js';
import type { Handle } from './response/answer.js';
import type { KeptAnswers } from './response/kept-answers.js';
import type { Texts, Turns } from './response/texts.js';
import type { Logger, RequestLog } from './server/request-log.js';
import type { SwitcherTag } from './sites/switcher-tag.js';

/** The client as one file, `/-/client.mjs` in the public directory. */
export type ClientFile = Pick<Body<'ClientFile'>, 'sha256' | 'bytes'>;

/** Sources of the server's own pages. */
export interface OwnPages {
  readonly pages: Pages;
  /** The same pages with links for the hosts of projects; needed where there are such hosts. */
  readonly pagesOnHosts?: Pages | undefined;
  /** Directory whose `-/assets/` holds the files of these pages. */
  readonly publicDirectory: string;
  /** Third-party scripts of pages; logo and style sheet of whoever runs the server. */
  readonly files?: readonly KeptFile[];
  /** Undefined where it was not built: without it, the server hands out no client. */
  readonly client?: ClientFile | undefined;
}

/** A web server in front that can read the docs directory, and the store that knows its paths. */
export interface AccelRedirect {
  /** Internal location at which the web server has the docs directory; begins and ends with `/`. */
  readonly location: string;
  readonly store: Pick<LocalStore, 'localPath'>;
}

/** A route of the server's own; `path` as @koa/router takes it. Koa's own middleware finds static files. */
export type OwnRoute = {
  readonly path: string | string[];
  /** @default GET, and with it HEAD */
  readonly methods?: readonly string[];
} & ({ readonly handle: Handle } | { readonly files: Middleware });

/** An optional feature: returns the paths that it adds to an application, none where it is off. */
export type HttpFeature = (parts: AppParts) => {
  readonly operations?: readonly ApiOperation[];
  readonly routes?: readonly OwnRoute[];
  /** Tools for coding agents. */
  readonly tools?: Tools;
};

/** Everything that the handlers of the Koa application use. */
export interface AppParts extends OwnPages {
  readonly useCases: UseCases;
  readonly readers: Readers;
  readonly features: readonly HttpFeature[];
  readonly at: PublicAddress;
  /** Lectern's version: the package's, or `DEV`. */
  readonly version: string;
  readonly gate: UploadGate;
  readonly uploadPace: UploadPace;
  readonly switcher: SwitcherTag;
  /** Whether search engines may show anything. */
  readonly isIndexed: boolean;
  /** Whether coding agents can ask, at `/-/mcp`. */
  readonly mcp: boolean;
  readonly texts: Texts;
  /** For texts that take long to make. */
  readonly turns: Turns;
  /** Answers that are repeated from memory. */
  readonly kept: KeptAnswers;
  readonly logger: Logger;
  readonly requestLog: RequestLog;
  /** Whether `X-Forwarded-Proto` and `-Host` are believed: only behind a proxy that sets them. */
  readonly trustProxy: boolean;
  readonly accelRedirect?: AccelRedirect | undefined;
}
