import type { Middleware } from 'koa';
import type { LocalStore, Metrics, Pages, UseCases } from '../../application/index.js';
import type { Body } from '../../formats/api/bodies.js';
import type { PeopleOptions } from './access/people.js';
import type { Access, Readers, SeenBy } from './access/readers.js';
import type { Tools } from './agents/tools.js';
import type { ApiOperation } from './api/api-operation.js';
import type { UploadPace } from './api/uploads/receive-upload.js';
import type { UploadGate } from './api/uploads/upload-gate.js';
import type { KeptFile } from './own/static-files.js';
import type { PublicAddress } from './public-address.js';
import type { Handle } from './response/answer.js';
import type { KeptAnswers } from './response/kept-answers.js';
import type { Texts, Turns } from './response/texts.js';
import type { Patience } from './server/lectern-server.js';
import type { Logger, RequestLog } from './server/request-log.js';
import type { Started } from './server/startup-gate.js';
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
interface AccelRedirect {
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

/** The parts of the core that the server uses. */
export interface Core extends Omit<Started, 'look'> {
  readonly useCases: UseCases;
  /** Returns the part of the store that a reader may see. */
  readonly seenBy: SeenBy;
  /** Internal location of the docs directory in a web server in front; see `--accel-redirect`. */
  readonly accelRedirect?: AccelRedirect | undefined;
  /** Rules that say who may read which project; without them everybody may read all. */
  readonly access?: Access | undefined;
}

export interface HttpServerOptions {
  readonly logger: Logger;
  /** Lectern's version: the package's, or `DEV`. */
  readonly version: string;
  /** Optional features. @default none */
  readonly features?: readonly HttpFeature[];
  /** Public address; by default the root of the requested host. */
  readonly at?: PublicAddress;
  /** Whether `X-Forwarded-For`, `-Host` and `-Proto` are believed: only behind a proxy that sets them. */
  readonly trustProxy?: boolean;
  /** Size of the response cache in bytes; 0 turns it off. */
  readonly cacheBytes?: number;
  /** Max. concurrent uploads; one fewer for each token. */
  readonly maxUploads?: number;
  /** Max. uploads that wait for a place; 0 refuses them at once. */
  readonly maxWaitingUploads?: number;
  /** Max. time that an upload waits for a place, in milliseconds. */
  readonly uploadWaitMs?: number;
  /** Min. rates and time limits of an upload. */
  readonly uploadPace?: UploadPace;
  /** Max. open connections; half of them per client address, unless a proxy in front is trusted. */
  readonly maxConnections?: number;
  /** Default for projects that do not set whether their pages get the version switcher. */
  readonly switcher?: boolean;
  /** Whether search engines may show what is served; default: true. */
  readonly indexing?: boolean;
  /** Whether coding agents can ask, at `/-/mcp`. @default true */
  readonly mcp?: boolean;
  /** Headers in which a proxy in front names who has signed in; used with `Core.access` only. */
  readonly people?: PeopleOptions | undefined;
  readonly patience?: Patience;
  /** Access log in Apache's combined format; replaces the logger's request lines. */
  readonly combined?: { write(line: string): unknown } | undefined;
  /** Metrics of requests, served at `/-/metrics`. */
  readonly metrics?: Metrics | undefined;
}

/** Everything that the handlers of the Koa application use. */
export interface AppParts
  extends OwnPages,
    Pick<Core, 'useCases' | 'accelRedirect'>,
    Required<
      Pick<
        HttpServerOptions,
        'logger' | 'version' | 'features' | 'at' | 'trustProxy' | 'uploadPace' | 'indexing' | 'mcp'
      >
    > {
  readonly readers: Readers;
  readonly gate: UploadGate;
  readonly switcher: SwitcherTag;
  readonly texts: Texts;
  /** For texts that take long to make. */
  readonly turns: Turns;
  /** Answers that are repeated from memory. */
  readonly kept: KeptAnswers;
  readonly requestLog: RequestLog;
}
