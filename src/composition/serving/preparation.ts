import { naming } from '../../adapters/cli/index.js';
import type { StoreRequest } from '../../application/index.js';
import { privacyOf } from '../access/access-rules.js';
import {
  type Configuration,
  type ContainerParts,
  containerFor,
  type Opened,
  type PlacelessConfig,
  roots,
} from '../container.js';

/** Time from giving up archives to cutting connections, in which clients get their response, in milliseconds. */
const ANSWERING_MS = 2_000;

/** A server whose configuration was found right, before its store is opened. */
export interface Preparation extends Pick<ContainerParts, 'place' | 'logger'> {
  readonly config: PlacelessConfig;
  readonly configuration: Configuration;
  /** The site file, if there is one. */
  readonly own: OwnSite | undefined;
  /** Opens the store and all that needs it, once. After a crash this may take minutes. @throws StartError */
  opened(): Promise<Opened>;
  /** Calls `observer` for each request to an object store from now on. */
  observe(observer: (request: StoreRequest) => void): void;
  /** Closes everything that is open. */
  close(): Promise<void>;
}

type OwnSite = Awaited<ReturnType<typeof import('../../adapters/web/index.js').openSite>>;

/** Reads all files that a server is configured by, and checks its place. @throws StartError */
export async function prepare(
  config: PlacelessConfig,
  parts: Pick<ContainerParts, 'place' | 'logger' | 'tokens' | 'auditLog' | 'mayPublish'>,
): Promise<Preparation> {
  const { site } = config;
  const own = site === undefined ? undefined : await naming(`the site file ${site}`, openSite(site));
  let observer: (request: StoreRequest) => void = () => {};
  const onRequest = (request: StoreRequest) => observer(request);
  const container = containerFor(config, { ...parts, synonyms: own?.synonyms, onRequest });
  const close = () => container.unbindAllAsync();
  let opening: Promise<Opened> | undefined;
  try {
    const configuration = await container.getAsync(roots.configuration);
    const mayBeReadOnly = !configuration.tokens.isConfigured && parts.mayPublish !== true;
    await parts.place.assertUsable({ mayBeReadOnly, privacy: privacyOf(config, configuration.access) });
    const open = async () => {
      const opened = await container.getAsync(roots.opened);
      // Followed before anybody is answered: the file may have changed since the store was opened.
      const { local } = opened.storage;
      configuration.access?.follow(async (everybody) => local?.showInPublic(everybody), parts.logger);
      return opened;
    };
    return {
      ...parts,
      config,
      configuration,
      own,
      opened: () => {
        opening ??= open();
        return opening;
      },
      observe: (each) => {
        observer = each;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Gives up archives that are still being unpacked or packed shortly before `maxMs` are over, so that their clients get a response. */
export function giveUpWithin(maxMs: number, { archives }: Pick<Opened, 'archives'>): void {
  setTimeout(() => archives.giveUp?.(), Math.max(0, maxMs - ANSWERING_MS)).unref();
}

// The pages are loaded only for a server that needs them.
async function openSite(file: string): Promise<OwnSite> {
  return (await import('../../adapters/web/index.js')).openSite(file);
}
