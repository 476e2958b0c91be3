import 'reflect-metadata';
import { ContainerModule, type ServiceIdentifier } from 'inversify';
import { type ServeConfig, startError } from '../adapters/cli/index.js';
import { FilesystemDocStore } from '../adapters/filesystem/index.js';
import type { Logger } from '../adapters/http/index.js';
import { JsonTokenRegistry } from '../adapters/json/index.js';
import { MemoryTokenRegistry } from '../adapters/memory/index.js';
import { readYamlDocinfo } from '../adapters/yaml/index.js';
import { ZipArchives } from '../adapters/zip/index.js';
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
  UploadVersion,
} from '../application/index.js';

// inversify narrows a bare symbol to `unknown`; the cast keeps the type of the port.
const port = <T>(name: string) => Symbol(name) as ServiceIdentifier<T>;
export const ports = {
  archives: port<Archives>('Archives'),
  docs: port<DocStore>('DocStore'),
  tokens: port<TokenRegistry>('TokenRegistry'),
};

/** The use cases, on whatever adapters the ports have. */
export const useCases = ({ limits, place }: Pick<ServeConfig, 'limits' | 'place'>) =>
  new ContainerModule(({ bind }) => {
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

/** The adapters of a server: a directory and a JSON file. */
export const onDisk = ({ docs, tokens }: Pick<ServeConfig, 'docs' | 'tokens'>, logger: Logger) =>
  new ContainerModule(({ bind }) => {
    bind(ports.tokens).toResolvedValue(async () => {
      if (tokens === undefined) return new MemoryTokenRegistry();
      return JsonTokenRegistry.open(tokens).catch((error: unknown) => {
        throw startError(`the tokens file ${tokens}`, error);
      });
    });
    const zip = new ZipArchives();
    bind(ports.archives)
      .toResolvedValue(() => zip)
      .onDeactivation((archives) => archives.close());
    bind(ports.docs)
      .toResolvedValue(
        (archives, registry) =>
          FilesystemDocStore.open(docs, {
            archives,
            readDocinfo: readYamlDocinfo,
            mayBeReadOnly: !registry.isConfigured,
            report: (message, fields) => logger.warn(fields, message),
            removeTree: (directory) => zip.remove(directory),
          }).catch((error: unknown) => {
            throw startError(`the docs directory ${docs}`, error);
          }),
        [ports.archives, ports.tokens],
      )
      .onDeactivation((store) => store.close());
  });
