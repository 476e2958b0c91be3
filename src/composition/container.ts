import 'reflect-metadata';
import { Container, ContainerModule, type ServiceIdentifier } from 'inversify';
import { type ServeConfig, startError } from '../adapters/cli/index.js';
import type { Core, Logger } from '../adapters/http/index.js';
import { JsonTokenRegistry } from '../adapters/json/index.js';
import { MemoryTokenRegistry } from '../adapters/memory/index.js';
import type { StoreObserver } from '../adapters/object-store/index.js';
import { ZipArchives } from '../adapters/zip/index.js';
import { type Archives, createUseCases, type TokenRegistry } from '../application/index.js';
import type { OpenStorage, StoragePlace } from './storage.js';

// inversify narrows a bare symbol to `unknown`; the cast keeps the type.
const service = <T>(name: string) => Symbol(name) as ServiceIdentifier<T>;

/** Identifiers of a server's parts, in the order in which they are opened. */
export const services = {
  tokens: service<TokenRegistry>('TokenRegistry'),
  archives: service<Archives>('Archives'),
  storage: service<OpenStorage>('Storage'),
  core: service<Core>('Core'),
};

export interface ContainerParts {
  readonly place: StoragePlace;
  readonly logger: Logger;
  /** Called at the end of each request to an object store. */
  readonly onRequest?: StoreObserver | undefined;
}

/** The container of a server with its sites in a store and its tokens in a JSON file. */
export function containerFor(config: ServeConfig, parts: ContainerParts): Container {
  const container = new Container({ defaultScope: 'Singleton' });
  container.load(adapters(config, parts), core(config));
  return container;
}

const adapters = ({ tokens }: Pick<ServeConfig, 'tokens'>, { place, logger, onRequest }: ContainerParts) =>
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
    bind(services.storage)
      .toResolvedValue(
        (archives, registry) =>
          place.open({
            archives,
            isReadOnly: !registry.isConfigured,
            report: (message, fields) => logger.warn(fields, message),
            onRequest,
          }),
        [services.archives, services.tokens],
      )
      .onDeactivation(({ docs }) => docs.close());
  });

const core = ({ limits, accelRedirect: location }: Pick<ServeConfig, 'limits' | 'accelRedirect'>) =>
  new ContainerModule(({ bind }) => {
    bind(services.core).toResolvedValue(
      ({ docs, disk, direct, local, objects }, tokens, archives) => ({
        useCases: createUseCases({ docs, tokens, archives, disk, direct }, limits),
        catalogue: () => docs.catalogue(),
        warnings: () => (objects?.problem === undefined ? [] : ['store_unavailable']),
        accelRedirect: location === undefined || local === undefined ? undefined : { location, store: local },
      }),
      [services.storage, services.tokens, services.archives],
    );
  });
