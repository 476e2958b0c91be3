#!/usr/bin/env node
import 'reflect-metadata';
import { Container, ContainerModule, type ServiceIdentifier } from 'inversify';
import {
  createLogger,
  runCommandLine,
  runningVersion,
  type ServeConfig,
  startError,
} from './adapters/cli/index.js';
import { FilesystemDocStore, verifyDocs } from './adapters/filesystem/index.js';
import { createApp, LecternServer, type Logger, UploadGate } from './adapters/http/index.js';
import { JsonTokenRegistry } from './adapters/json/index.js';
import { MemoryTokenRegistry } from './adapters/memory/index.js';
import { HtmlPages, helpText, publicDirectory } from './adapters/web/index.js';
import { readYamlDocinfo } from './adapters/yaml/index.js';
import { ZipArchives } from './adapters/zip/index.js';
import {
  type Archives,
  DeleteVersion,
  type DocStore,
  DownloadVersion,
  ListProjects,
  ReadPage,
  type TokenRegistry,
  UploadVersion,
} from './application/index.js';

/** Requests in flight have this long to finish after SIGTERM or SIGINT. */
const MOST_CLOSING_MS = 30_000;

// inversify narrows a bare symbol to `unknown`; the cast keeps the type of the port.
const port = <T>(name: string) => Symbol(name) as ServiceIdentifier<T>;
const ports = {
  archives: port<Archives>('Archives'),
  docs: port<DocStore>('DocStore'),
  tokens: port<TokenRegistry>('TokenRegistry'),
};

const useCases = ({ limits }: ServeConfig) =>
  new ContainerModule(({ bind }) => {
    bind(UploadVersion).toResolvedValue(
      (docs, tokens, archives) => new UploadVersion(docs, tokens, archives, limits),
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
  });

const onDisk = ({ docs, tokens }: ServeConfig, logger: Logger) =>
  new ContainerModule(({ bind }) => {
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

async function serve(config: ServeConfig): Promise<void> {
  const logger = createLogger(config.logLevel);
  const container = new Container({ defaultScope: 'Singleton' });
  container.load(useCases(config), onDisk(config, logger));
  // Everything is resolved before the port opens: whatever is missing or wrong ends the program here.
  const tokens = await container.getAsync(ports.tokens);
  const gate = new UploadGate(config.mostUploads);
  const version = runningVersion();
  const app = createApp({
    uploadVersion: await container.getAsync(UploadVersion),
    deleteVersion: await container.getAsync(DeleteVersion),
    listProjects: await container.getAsync(ListProjects),
    downloadVersion: await container.getAsync(DownloadVersion),
    readPage: await container.getAsync(ReadPage),
    pages: new HtmlPages({ version, uploads: tokens.isConfigured }),
    helpText: ({ address }) => helpText({ address, uploads: tokens.isConfigured }),
    publicDirectory,
    gate,
    version,
    trustProxy: config.trustProxy,
    logger,
  });
  const server = new LecternServer(app.callback());
  const stopped = new Promise<void>((resolve) => {
    process.once('SIGTERM', resolve).once('SIGINT', resolve);
  });
  try {
    const address = await server.listen(config.port, config.host).catch((error: unknown) => {
      throw startError(`cannot listen on ${config.host} port ${config.port}`, error);
    });
    process.stdout.write(`Lectern serves ${config.docs} at ${address}/\n`);
    await stopped;
    gate.close();
    await server.close(MOST_CLOSING_MS);
  } finally {
    await container.unbindAllAsync();
  }
}

async function* verify(docs: string, { repair }: { readonly repair: boolean }) {
  const archives = new ZipArchives();
  try {
    yield* verifyDocs(docs, { archives, repair });
  } catch (error) {
    throw startError(`the docs directory ${docs}`, error);
  } finally {
    await archives.close();
  }
}

process.exitCode = await runCommandLine(process.argv, process.env, { serve, verify });
