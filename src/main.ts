#!/usr/bin/env node
// Each command loads what it needs: `push` in a pipeline waits for no web server.
import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceIdentifier } from 'inversify';
import {
  type ImportRequest,
  inheritedSocket,
  openLog,
  packageVersion,
  runCommandLine,
  runningVersion,
  type ServeConfig,
  startError,
} from './adapters/cli/index.js';
import type { ConnectionOptions } from './adapters/client/index.js';
import type { Logger, Probes } from './adapters/http/index.js';
import type { Counted } from './adapters/prometheus/index.js';
import {
  type Archives,
  DeleteVersion,
  type DocStore,
  DownloadVersion,
  GoToPage,
  ListProjects,
  ReadPage,
  ShowProject,
  SuggestInstead,
  type TokenRegistry,
  type UploadLimits,
  UploadVersion,
} from './application/index.js';
import type { VersionId } from './domain/index.js';

/** Requests in flight have this long to finish after SIGTERM or SIGINT. */
const MOST_CLOSING_MS = 30_000;

/** For what the owner of the machine moves in: limits are for strangers. */
const NO_LIMITS: UploadLimits = {
  mostUploadBytes: Number.POSITIVE_INFINITY,
  mostExtractedBytes: Number.POSITIVE_INFINITY,
  mostFiles: Number.POSITIVE_INFINITY,
  mostRatio: Number.POSITIVE_INFINITY,
  leastFreeBytes: 0,
};

// inversify narrows a bare symbol to `unknown`; the cast keeps the type of the port.
const port = <T>(name: string) => Symbol(name) as ServiceIdentifier<T>;
const ports = {
  archives: port<Archives>('Archives'),
  docs: port<DocStore>('DocStore'),
  tokens: port<TokenRegistry>('TokenRegistry'),
};

const loadContainer = async () => {
  await import('reflect-metadata');
  return import('inversify');
};

/** What every command needs that opens a docs directory. */
const loadStore = async () => {
  const [filesystem, memory, yaml, zip] = await Promise.all([
    import('./adapters/filesystem/index.js'),
    import('./adapters/memory/index.js'),
    import('./adapters/yaml/index.js'),
    import('./adapters/zip/index.js'),
  ]);
  return { ...filesystem, ...memory, ...yaml, ...zip };
};

const useCases = async ({ limits, place }: ServeConfig) => {
  const { ContainerModule } = await loadContainer();
  return new ContainerModule(({ bind }) => {
    bind(UploadVersion).toResolvedValue(
      (docs, tokens, archives) => new UploadVersion(docs, tokens, archives, limits, place.basePath),
      [ports.docs, ports.tokens, ports.archives],
    );
    bind(DeleteVersion).toResolvedValue(
      (docs, tokens) => new DeleteVersion(docs, tokens),
      [ports.docs, ports.tokens],
    );
    bind(ListProjects).toResolvedValue((docs) => new ListProjects(docs), [ports.docs]);
    bind(DownloadVersion).toResolvedValue(
      (docs, archives) => new DownloadVersion(docs, archives),
      [ports.docs, ports.archives],
    );
    bind(ReadPage).toResolvedValue((docs) => new ReadPage(docs), [ports.docs]);
    bind(ShowProject).toResolvedValue((docs) => new ShowProject(docs), [ports.docs]);
    bind(GoToPage).toResolvedValue((docs) => new GoToPage(docs), [ports.docs]);
    bind(SuggestInstead).toResolvedValue(
      (docs, goToPage) => new SuggestInstead(docs, goToPage),
      [ports.docs, GoToPage],
    );
  });
};

const onDisk = async ({ docs, tokens }: ServeConfig, logger: Logger) => {
  const { ContainerModule } = await loadContainer();
  const { FilesystemDocStore, MemoryTokenRegistry, readYamlDocinfo, ZipArchives } = await loadStore();
  const { JsonTokenRegistry } = await import('./adapters/json/index.js');
  return new ContainerModule(({ bind }) => {
    bind(ports.tokens).toResolvedValue(async () => {
      if (tokens === undefined) return new MemoryTokenRegistry();
      return JsonTokenRegistry.open(tokens).catch((error: unknown) => {
        throw startError(`the tokens file ${tokens}`, error);
      });
    });
    bind(ports.archives)
      .toResolvedValue(() => new ZipArchives())
      .onDeactivation((archives) => archives.close());
    bind(ports.docs)
      .toResolvedValue(
        (archives, registry) =>
          FilesystemDocStore.open(docs, {
            archives,
            readDocinfo: readYamlDocinfo,
            mayBeReadOnly: !registry.isConfigured,
            report: (message, fields) => logger.warn(fields, message),
          }).catch((error: unknown) => {
            throw startError(`the docs directory ${docs}`, error);
          }),
        [ports.archives, ports.tokens],
      )
      .onDeactivation((store) => store.close());
  });
};

async function serve(config: ServeConfig): Promise<void> {
  const stopped = new Promise<void>((resolve) => {
    process.once('SIGTERM', resolve).once('SIGINT', resolve);
  });
  const { Container } = await loadContainer();
  const http = await import('./adapters/http/index.js');
  const { createApp, FrontDoor, LecternServer, PageCache, Probes, PublicAddress } = http;
  const { RequestLog, SwitcherTag, Traffic, UploadGate, withPageCache } = http;
  const { HtmlPages, helpText, publicDirectory, renderer } = await import('./adapters/web/index.js');
  const { FilesystemDocStore } = await loadStore();
  const { logger, combined, reopen, close: closeLog } = await openLog(config);
  if (reopen !== undefined) process.on('SIGHUP', () => void reopen());
  const container = new Container({ defaultScope: 'Singleton' });
  container.load(await useCases(config), await onDisk(config, logger));
  // Whatever the caller has to mend ends the program before the port opens.
  const tokens = await container.getAsync(ports.tokens);
  const mayBeReadOnly = !tokens.isConfigured;
  await FilesystemDocStore.assertUsable(config.docs, { mayBeReadOnly }).catch((error: unknown) => {
    throw startError(`the docs directory ${config.docs}`, error);
  });
  const probes = new Probes();
  const at = new PublicAddress(config.place.basePath, config.place.origin);
  const door = new FrontDoor(probes);
  const server = new LecternServer(at.entering(door.listener));
  try {
    const inherited = inheritedSocket(process.env, process.pid);
    const address = await (inherited === undefined
      ? server.listen(config.port, config.host)
      : server.listenOnInherited(inherited)
    ).catch((error: unknown) => {
      const where =
        inherited === undefined ? `${config.host} port ${config.port}` : 'the socket of LISTEN_FDS';
      throw startError(`cannot listen on ${where}`, error);
    });
    // After a crash this may take minutes: meanwhile the port is open, and probes are answered.
    const docs = await container.getAsync(ports.docs);
    const gate = new UploadGate(config.mostUploads);
    const version = runningVersion();
    const traffic = config.metrics ? new Traffic() : undefined;
    const log = new RequestLog(logger, config.trustProxy, { combined, traffic });
    const switcher = new SwitcherTag(config.switcher, at);
    const readPage = await container.getAsync(ReadPage);
    const pageCache = new PageCache(docs, readPage, log, config.cacheBytes, switcher);
    const app = createApp({
      uploadVersion: await container.getAsync(UploadVersion),
      deleteVersion: await container.getAsync(DeleteVersion),
      listProjects: await container.getAsync(ListProjects),
      downloadVersion: await container.getAsync(DownloadVersion),
      readPage,
      showProject: await container.getAsync(ShowProject),
      goToPage: await container.getAsync(GoToPage),
      suggestInstead: await container.getAsync(SuggestInstead),
      pages: new HtmlPages({ version, uploads: tokens.isConfigured }, at.basePath),
      helpText: ({ address }) => helpText({ address, uploads: tokens.isConfigured }),
      publicDirectory,
      renderer,
      gate,
      version,
      trustProxy: config.trustProxy,
      ...(config.accelRedirect === undefined ? {} : { accelRedirect: config.accelRedirect }),
      logger,
      requestLog: log,
      pageCache,
      switcher,
      at,
    });
    const metrics =
      traffic && (await metricsOf({ version, traffic, pageCache, uploads: gate, probes, docs }));
    door.open(withPageCache(app, pageCache));
    probes.serving(() => docs.catalogue(), metrics);
    process.stdout.write(`Lectern serves ${config.docs} at ${address}/\n`);
    await stopped;
    probes.draining();
    await delay(config.drainMs);
    gate.close();
    const isAllAnswered = await server.close(MOST_CLOSING_MS);
    // Whatever is still at work has had its time. The next start sweeps up after it, as after a crash.
    if (!isAllAnswered) {
      await closeLog();
      process.exit(0);
    }
  } finally {
    await server.close(0);
    await container.unbindAllAsync();
    await closeLog();
  }
}

/** Everything that is counted, put together. A server that shows no metrics never loads what shows them. */
async function metricsOf({
  probes,
  docs,
  ...counted
}: Pick<Counted, 'version' | 'traffic' | 'pageCache' | 'uploads'> & { probes: Probes; docs: DocStore }) {
  const { PrometheusMetrics } = await import('./adapters/prometheus/index.js');
  const { DURATION_BOUNDS } = await import('./adapters/http/index.js');
  return new PrometheusMetrics({
    ...counted,
    durationBounds: DURATION_BOUNDS,
    ready: async () => (await probes.whyNotReady()).length === 0,
    stored: async () => {
      const { projects } = await docs.catalogue();
      return {
        projects: projects.length,
        versions: projects.reduce((sum, { versions }) => sum + versions.length, 0),
      };
    },
    freeBytes: () => docs.freeBytes(),
  });
}

async function* verify(docs: string, { repair }: { readonly repair: boolean }) {
  const { verifyDocs, ZipArchives } = await loadStore();
  const archives = new ZipArchives();
  try {
    yield* verifyDocs(docs, { archives, repair });
  } catch (error) {
    throw startError(`the docs directory ${docs}`, error);
  } finally {
    await archives.close();
  }
}

async function* importInto({ layout, path, docs, dryRun, withHidden }: ImportRequest) {
  const { FilesystemDocStore, MemoryTokenRegistry, readYamlDocinfo, ZipArchives } = await loadStore();
  const { importSites } = await import('./adapters/client/index.js');
  // A dry run makes nothing, not even the directory.
  const isThere = !dryRun || existsSync(docs);
  const archives = new ZipArchives();
  const store = isThere
    ? await FilesystemDocStore.open(docs, {
        archives,
        readDocinfo: readYamlDocinfo,
        mayBeReadOnly: dryRun,
      }).catch((error: unknown) => {
        throw startError(`the docs directory ${docs}`, error);
      })
    : undefined;
  try {
    const target = store && {
      upload: new UploadVersion(store, new MemoryTokenRegistry(), archives, NO_LIMITS),
      has: async ({ directoryName }: VersionId) =>
        (await store.catalogue()).version(directoryName) !== undefined,
    };
    yield* importSites(layout, path, { dryRun, withHidden, ...(target === undefined ? {} : { target }) });
  } finally {
    await store?.close();
    await archives.close();
  }
}

async function client() {
  const { ArchiveFile, guessVersion, LecternClient, packSite } = await import('./adapters/client/index.js');
  return {
    connect: (settings: ConnectionOptions) =>
      new LecternClient({ ...settings, userAgent: `lectern/${packageVersion()}` }),
    openArchive: (path: string) => ArchiveFile.open(path),
    packSite,
    guess: guessVersion,
  };
}

process.exitCode = await runCommandLine(process.argv, process.env, {
  serve,
  verify,
  importSites: importInto,
  client,
});
