import { MAX_RESULTS } from '../../../application/index.js';
import { USAGE_KEPT_DAYS } from '../../../domain/index.js';
import type { OpenApiParameter } from '../../../formats/index.js';
import { DEFAULT_LIMIT, MAX_LIMIT } from './page-search-of.js';
import { DEFAULT_USAGE_DAYS } from './usage-of.js';

/** Parameters in paths and queries. */
export const PARAMETERS = {
  project: { in: 'path', required: true, description: 'Project directory name.', example: 'my-project' },
  version: { in: 'path', required: true, description: 'Version label.', example: '1.0.0' },
  alias: {
    in: 'path',
    required: true,
    description: 'Name like that of a version, or `latest`.',
    example: 'stable',
  },
  versionOrLatest: {
    in: 'path',
    name: 'version',
    required: true,
    description: 'Version label, an alias, or the literal `latest`, which selects the latest version.',
    example: 'latest',
  },
  before: {
    in: 'path',
    required: true,
    description: 'Label or alias of the earlier version, `~<name>` of a preview, or the literal `latest`.',
    example: '1.0.0',
  },
  after: {
    in: 'path',
    required: true,
    description: 'Label or alias of the later version, `~<name>` of a preview, or the literal `latest`.',
    example: '1.1.0',
  },
  offset: {
    in: 'query',
    required: false,
    description: 'Pages to leave out at the beginning of each list.',
    schema: { type: 'integer', minimum: 0, default: 0 },
  },
  name: { in: 'path', required: true, description: 'Name of the preview.', example: 'pr-123' },
  maker: { in: 'path', required: true, description: 'Name of the token that made it.', example: 'team-a' },
  tokenName: {
    in: 'path',
    name: 'name',
    required: true,
    description: 'Name of the token, without that of its maker.',
    example: 'ci',
  },
  search: {
    in: 'query',
    required: false,
    description:
      'A part of the name or the directory name, whatever its case, of at most 200 characters. Empty lists all.',
  },
  group: {
    in: 'query',
    required: false,
    description: 'Group that the projects are in, whatever its case. Empty lists all.',
  },
  tag: {
    in: 'query',
    required: false,
    description: 'Tag that the projects have, whatever its case. Empty lists all.',
  },
  owner: {
    in: 'query',
    required: false,
    description: 'Owner of the projects, whatever its case. Empty lists all.',
  },
  replace: {
    in: 'query',
    required: false,
    description: 'With `true`, it takes the place of the version that is there now.',
    schema: { type: 'boolean', default: false },
  },
  revision: {
    in: 'query',
    required: false,
    description: 'Which of several removed publications; the one that was removed last is the default.',
  },
  purge: {
    in: 'query',
    required: false,
    description: 'With `true`, the version is deleted for good: nothing of it is kept.',
    schema: { type: 'boolean', default: false },
  },
  dryRun: {
    in: 'query',
    name: 'dry_run',
    required: false,
    description: 'With `true`, nothing is changed: the answer says what would be removed.',
    schema: { type: 'boolean', default: false },
  },
  q: {
    in: 'query',
    required: true,
    description: 'What to search for, at most 200 characters. Words after the twelfth are ignored.',
    example: 'install',
  },
  ofProject: {
    in: 'query',
    name: 'project',
    required: false,
    description: 'Directory name of the only project to search in.',
  },
  ofVersion: {
    in: 'query',
    name: 'version',
    required: false,
    description:
      'Version label, an alias, `latest`, or `~<name>` of a preview. `all` stands for the newest 50 versions that have an index, unless a version or alias has that name. It needs `project`; without it, the latest version is searched unless it is hidden.',
  },
  ofGroup: {
    in: 'query',
    name: 'group',
    required: false,
    description: 'Group of the projects to search in, whatever its case. Empty searches all.',
  },
  ofTag: {
    in: 'query',
    name: 'tag',
    required: false,
    description: 'Tag of the projects to search in, whatever its case. Empty searches all.',
  },
  ofOwner: {
    in: 'query',
    name: 'owner',
    required: false,
    description: 'Owner of the projects to search in, whatever its case. Empty searches all.',
  },
  facets: {
    in: 'query',
    required: false,
    description: 'With `true`, all pages that match are counted by project, group, tag and kind of page.',
    schema: { type: 'boolean', default: false },
  },
  limit: {
    in: 'query',
    required: false,
    description: 'Max. number of results.',
    schema: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
  },
  days: {
    in: 'query',
    required: false,
    description: 'Number of days to count back, today included.',
    schema: { type: 'integer', minimum: 1, maximum: USAGE_KEPT_DAYS, default: DEFAULT_USAGE_DAYS },
  },
  usageFormat: {
    in: 'query',
    name: 'format',
    required: false,
    description: '`json` has sums for all days, `csv` a row for each day, version and path.',
    schema: { type: 'string', enum: ['json', 'csv'], default: 'json' },
  },
  resultOffset: {
    in: 'query',
    name: 'offset',
    required: false,
    description: 'Results to leave out.',
    schema: { type: 'integer', minimum: 0, maximum: MAX_RESULTS - 1, default: 0 },
  },
} as const satisfies Record<string, Omit<OpenApiParameter, 'name' | 'schema'> & Partial<OpenApiParameter>>;

export type ParameterName = keyof typeof PARAMETERS;

/** Request headers that change a response. */
export const REQUEST_HEADERS = {
  'If-None-Match': 'ETags of copies that the client has; answered by 304 when one is current.',
  'If-Modified-Since': 'A date; answered by 304 when nothing is newer. Ignored beside If-None-Match.',
  'Accept-Language': 'Languages of the reader, English by default: pages in others come after these.',
  Range: 'One range of bytes (RFC 9110, section 14).',
  'If-Range': 'The ETag or date for which the range is wanted; otherwise the whole body comes.',
} as const;

export type RequestHeaderName = keyof typeof REQUEST_HEADERS;

export const HEADERS = {
  'X-Request-Id': 'The id of the request in the log of the server.',
  ETag: 'Changes whenever the body changes.',
  Vary: 'Request headers that the body depends on.',
  'Last-Modified': 'When the body was changed.',
  'Accept-Ranges': 'Always `bytes`.',
  'Content-Range': 'The range that is answered, and the size of the whole.',
  'Content-Disposition': 'The file name of the archive, with the version that `latest` stood for.',
  Location: 'The path of the published site.',
  Allow: 'The methods that the path takes.',
  'Retry-After': 'Seconds after which another try makes sense.',
} as const;

export type HeaderName = keyof typeof HEADERS;
