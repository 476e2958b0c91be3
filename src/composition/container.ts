import 'reflect-metadata';
import { Container, ContainerModule, type ServiceIdentifier } from 'inversify';
import { type ServeConfig, startError } from '../adapters/cli/index.js';
import { FilesystemDocStore } from '../adapters/filesystem/index.js';
import type { Core, Logger } from '../adapters/http/index.js';
import { JsonTokenRegistry } from '../adapters/json/index.js';
import { MemoryTokenRegistry } from '../adapters/memory/index.js';
import { readYamlDocinfo } from '../adapters/yaml/index.js';
import { ZipArchives } from '../adapters/zip/index.js';
import { type Archives, createUseCases, type TokenRegistry } from '../application/index.js';

// inversify narrows a bare symbol to `unknown`; the cast keeps the type.
const service = <T>(name: string) => Symbol(name) as ServiceIdentifier<T>;

/** Identifiers of a server's parts, in the order in which they are opened. */
export const services = {
  tokens: service<TokenRegistry>('TokenRegistry'),
  archives: service<Archives>('Archives'),
  docs: service<FilesystemDocStore>('DocStore'),
  core: service<Core>('Core'),
};

/** The container of a server with its sites in a directory and its tokens in a JSON file. */
export function containerFor(config: ServeConfig, logger: Logger): Container {
  const container = new Container({ defaultScope: 'Singleton' });
  container.load(adapters(config, logger), core(config));
  return container;
}

const adapters = ({ docs, tokens }: Pick<ServeConfig, 'docs' | 'tokens'>, logger: Logger) =>
  new ContainerModule(({ bind }) => {
    bind(services.tokens).toResolvedValue(async () => {
      if (tokens === undefined) return new MemoryTokenRegistry();
      return JsonTokenRegistry.open(tokens).catch((error: unknown) => {
        throw startError(`the tokens file ${tokens}`, error);
      });
    });
    bind(services.archives)
      .toResolvedValue(() => new ZipArchives())
      .onDeactivation((archives) => archives.close());
    bind(services.docs)
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
        [services.archives, services.tokens],
      )
      .onDeactivation((store) => store.close());
  });

const core = ({ limits, accelRedirect }: Pick<ServeConfig, 'limits' | 'accelRedirect'>) =>
  new ContainerModule(({ bind }) => {
    bind(services.core).toResolvedValue(
      (docs, tokens, archives) => ({
        useCases: createUseCases({ docs, tokens, archives, disk: docs }, limits),
        catalogue: () => docs.catalogue(),
        accelRedirect: accelRedirect === undefined ? undefined : { location: accelRedirect, store: docs },
      }),
      [services.docs, services.tokens, services.archives],
    );
  });
