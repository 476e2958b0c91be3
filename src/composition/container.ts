import 'reflect-metadata';
import { Container, ContainerModule, type ServiceIdentifier } from 'inversify';
import { naming } from '../adapters/cli/index.js';
import { ThreadedPageComparison } from '../adapters/comparison/index.js';
import type { Core, Logger } from '../adapters/http/index.js';
import { PublicAddress } from '../adapters/http/public-address.js';
import { IssuedPeople } from '../adapters/issuers/issued-people.js';
import { JobTokenRegistry } from '../adapters/issuers/job-token-registry.js';
import { JsonTokenRegistry, ReloadedTokenRegistry } from '../adapters/json/index.js';
import { ThreadedLinkChecking } from '../adapters/links/threaded-link-checking.js';
import { ThreadedPageMarkdown } from '../adapters/markdown/threaded-page-markdown.js';
import { MemoryTokenRegistry } from '../adapters/memory/index.js';
import { readYamlDocinfo } from '../adapters/yaml/index.js';
import { ZipArchives } from '../adapters/zip/index.js';
import {
  type Archives,
  type AuditLog,
  createUseCases,
  type LinkChecking,
  type PageComparison,
  type PageMarkdown,
  type PeopleTokens,
  type StoreObserver,
  type Synonyms,
  type TokenRegistry,
} from '../application/index.js';
import type { RetentionRules, TrustedIssuer } from '../domain/index.js';
import { AccessRulesFile, privacyOf } from './access/access-rules.js';
import { SeparateIssuers } from './access/separate-issuers.js';
import { openRecord, type Recording } from './audit-log.js';
import { openUsage, type Usage } from './counting.js';
import type { ServerConfig } from './features.js';
import { houseOf } from './links.js';
import { retentionRulesOf } from './retention.js';
import { openSearch, type Search } from './search.js';
import type { OpenStorage, StoragePlace } from './storage.js';

// inversify narrows a bare symbol to `unknown`; the cast keeps the type.
const service = <T>(name: string) => Symbol(name) as ServiceIdentifier<T>;

/** Configuration that is read before a server listens: an error in it ends the program. */
export interface Configuration {
  readonly tokens: TokenRegistry;
  /** The tokens file, with `--reload-tokens`. */
  readonly reloaded: ReloadedTokenRegistry | undefined;
  readonly access: AccessRulesFile | undefined;
  readonly retention: RetentionRules;
  /** The record of changes, with `--audit-log`. */
  readonly auditFile: Recording['file'];
}

/** Parts that a server opens once it listens. */
export interface Opened {
  readonly core: Core;
  readonly storage: OpenStorage;
  readonly archives: Archives;
  readonly search: Search | undefined;
}

/** Identifiers of a server's parts, in the order in which they are opened. */
const services = {
  /** The tokens file, with `--reload-tokens`. */
  reloadedTokens: service<ReloadedTokenRegistry | undefined>('ReloadedTokenRegistry'),
  tokens: service<TokenRegistry>('TokenRegistry'),
  access: service<AccessRulesFile | undefined>('Access'),
  people: service<PeopleTokens | undefined>('PeopleTokens'),
  retention: service<RetentionRules>('RetentionRules'),
  recording: service<Recording>('Recording'),
  archives: service<Archives>('Archives'),
  comparison: service<PageComparison>('PageComparison'),
  markdown: service<PageMarkdown>('PageMarkdown'),
  /** Undefined: links are not checked. */
  linkChecking: service<LinkChecking | undefined>('LinkChecking'),
  storage: service<OpenStorage>('Storage'),
  search: service<Search | undefined>('Search'),
  usage: service<Usage | undefined>('Usage'),
};

/** The two that a server asks for, each once. */
export const roots = {
  configuration: service<Configuration>('Configuration'),
  opened: service<Opened>('Opened'),
};

/** The configuration of a server, without the place of its sites. */
export type PlacelessConfig = Omit<ServerConfig, 'storage'>;

export interface ContainerParts {
  readonly place: StoragePlace;
  readonly logger: Logger;
  /** Words that mean the same in a search, both ways. */
  readonly synonyms?: Synonyms | undefined;
  /** Called at the end of each request to an object store. */
  readonly onRequest?: StoreObserver | undefined;
  /** The tokens, in place of those of the configuration. */
  readonly tokens?: TokenRegistry | undefined;
  /** The record of changes, in place of that of the configuration. */
  readonly auditLog?: AuditLog | undefined;
  /** Whether the program itself publishes, so that the store is not only read although there are no tokens. */
  readonly mayPublish?: boolean;
}

/** The container of a server. */
export function containerFor(config: PlacelessConfig, parts: ContainerParts): Container {
  const container = new Container({ defaultScope: 'Singleton' });
  container.load(adapters(config, parts), whole(config, parts));
  return container;
}

const adapters = (
  config: PlacelessConfig,
  { place, logger, onRequest, tokens: given, auditLog, mayPublish }: ContainerParts,
) =>
  new ContainerModule(({ bind }) => {
    const report = (message: string, fields: object) => logger.warn(fields, message);
    const issuers = new SeparateIssuers();
    const openTokens = <Registry>(open: (file: string) => Promise<Registry>, file: string) =>
      naming(`the tokens file ${file}`, open(file));
    bind(services.reloadedTokens)
      .toResolvedValue(async () => {
        const { tokens, reloadTokens } = config;
        if (tokens === undefined || !reloadTokens) return undefined;
        const options = {
          report: (level: 'info' | 'error', message: string, fields: object) =>
            logger[level](fields, message),
          accept: (trusted: readonly TrustedIssuer[]) => issuers.take('trusted_issuers', trusted),
        };
        return openTokens((file) => ReloadedTokenRegistry.open(file, options), tokens);
      })
      .onDeactivation((reloaded) => reloaded?.close());
    bind(services.tokens).toResolvedValue(
      async (reloaded): Promise<TokenRegistry> => {
        if (given !== undefined) return given;
        const { tokens } = config;
        if (tokens === undefined) return new MemoryTokenRegistry();
        const own = reloaded ?? (await openTokens((file) => JsonTokenRegistry.open(file), tokens));
        issuers.take('trusted_issuers', own.issuers);
        return new JobTokenRegistry(own, { report });
      },
      [services.reloadedTokens],
    );
    bind(services.access)
      .toResolvedValue(
        // Opened after the tokens: people must not have an issuer of the tokens file.
        (_tokens) =>
          config.access === undefined
            ? undefined
            : AccessRulesFile.open(config.access, {
                resource: new PublicAddress(config.place.basePath, config.place.origin).resource,
                separate: issuers,
              }),
        [services.tokens],
      )
      .onDeactivation((access) => access?.close());
    bind(services.people).toResolvedValue(
      (access) => access && new IssuedPeople(access, { report }),
      [services.access],
    );
    bind(services.retention).toResolvedValue(() => retentionRulesOf(config.retention));
    bind(services.recording)
      .toResolvedValue(() => openRecord(auditLog ?? config.auditLog, report))
      .onDeactivation((recording) => recording.close());
    bind(services.archives)
      .toResolvedValue(() => new ZipArchives(readYamlDocinfo))
      .onDeactivation((archives) => archives.close());
    bind(services.comparison)
      .toResolvedValue(() => new ThreadedPageComparison())
      .onDeactivation((comparison) => comparison.close());
    bind(services.markdown)
      .toResolvedValue(() => new ThreadedPageMarkdown())
      .onDeactivation((markdown) => markdown.close());
    bind(services.linkChecking)
      .toResolvedValue(() => (config.linkCheck ? new ThreadedLinkChecking() : undefined))
      .onDeactivation((checking) => checking?.close());
    bind(services.storage)
      .toResolvedValue(
        (archives, registry, access) =>
          place.open({
            archives,
            isReadOnly: !registry.isConfigured && mayPublish !== true,
            privacy: privacyOf(config, access),
            keepRemovedMs: config.keepRemovedMs,
            report,
            onRequest,
          }),
        [services.archives, services.tokens, services.access],
      )
      .onDeactivation(({ docs }) => docs.close());
    bind(services.search)
      .toResolvedValue((storage) => openSearch(config, place, storage, report), [services.storage])
      .onDeactivation(async (search) => {
        await search?.keeper.close();
        await search?.index.close();
      });
    bind(services.usage)
      .toResolvedValue(() => (config.usage === undefined ? undefined : openUsage(config.usage, report)))
      .onDeactivation((usage) => usage?.close());
  });

const whole = (
  {
    limits,
    previewMs,
    accelRedirect: location,
    place,
  }: Pick<ServerConfig, 'limits' | 'previewMs' | 'accelRedirect' | 'place'>,
  { synonyms, logger }: Pick<ContainerParts, 'synonyms' | 'logger'>,
) =>
  new ContainerModule(({ bind }) => {
    bind(roots.configuration).toResolvedValue(
      (tokens, reloaded, access, retention, { file: auditFile }) => ({
        tokens,
        reloaded,
        access,
        retention,
        auditFile,
      }),
      [services.tokens, services.reloadedTokens, services.access, services.retention, services.recording],
    );
    bind(roots.opened).toResolvedValue(
      (
        storage,
        tokens,
        people,
        archives,
        comparison,
        markdown,
        linkChecking,
        search,
        retention,
        usage,
        access,
        { audit },
      ) => {
        const { docs, disk, direct, local, objects } = storage;
        const house = houseOf(place, (message, fields) => logger.warn(fields, message));
        const ports = {
          docs,
          tokens,
          people,
          archives,
          comparison,
          markdown,
          linkChecking,
          house,
          disk,
          direct,
          usage,
          audit,
        };
        const searched = search && { ...search, synonyms };
        const core: Core = {
          useCases: createUseCases({ ...ports, search: searched }, limits, previewMs, retention),
          seenBy: (reader, now) => docs.catalogue().seenBy(reader, now),
          warnings: () => (objects?.problem === undefined ? [] : ['store_unavailable']),
          isIncomplete: () => objects?.doubt !== undefined,
          accelRedirect:
            location === undefined || local === undefined ? undefined : { location, store: local },
          access,
        };
        return { core, storage, archives, search };
      },
      [
        services.storage,
        services.tokens,
        services.people,
        services.archives,
        services.comparison,
        services.markdown,
        services.linkChecking,
        services.search,
        services.retention,
        services.usage,
        services.access,
        services.recording,
      ],
    );
  });
