import { MAX_RESULTS } from '../../../application/index.js';
import { USAGE_KEPT_DAYS } from '../../../domain/index.js';
import type { OpenApiParameter } from '../../../formats/index.js';
import { DEFAULT_LIMIT, DEFAULT_USAGE_DAYS, MAX_LIMIT } from './query.js';

type Parameter = Omit<OpenApiParameter, 'name' | 'schema'> & Partial<OpenApiParameter>;

const path = (description: string, example: string, more: Partial<OpenApiParameter> = {}) =>
  ({ in: 'path', required: true, description, example, ...more }) as const satisfies Parameter;
const query = (description: string, more: Partial<OpenApiParameter> = {}) =>
  ({ in: 'query', required: false, description, ...more }) satisfies Parameter;
const flag = (description: string, more: Partial<OpenApiParameter> = {}) =>
  query(description, { schema: { type: 'boolean', default: false }, ...more });

/** Parameters in paths and queries. `name` where two operations describe one of the same name otherwise. */
export const PARAMETERS = {
  project: path('Project directory name.', 'my-project'),
  version: path('Version label.', '1.0.0'),
  alias: path('Name like that of a version, or `latest`.', 'stable'),
  versionOrLatest: path(
    'Version label, an alias, or the literal `latest`, which selects the latest version.',
    'latest',
    { name: 'version' },
  ),
  before: path(
    'Label or alias of the earlier version, `~<name>` of a preview, or the literal `latest`.',
    '1.0.0',
  ),
  after: path(
    'Label or alias of the later version, `~<name>` of a preview, or the literal `latest`.',
    '1.1.0',
  ),
  offset: query('Pages to leave out at the beginning of each list.', {
    schema: { type: 'integer', minimum: 0, default: 0 },
  }),
  name: path('Name of the preview.', 'pr-123'),
  maker: path('Name of the token that made it.', 'team-a'),
  tokenName: path('Name of the token, without that of its maker.', 'ci', { name: 'name' }),
  search: query(
    'A part of the name or the directory name, whatever its case, of at most 200 characters. Empty lists all.',
  ),
  group: query('Group that the projects are in, whatever its case. Empty lists all.'),
  ungrouped: flag('With `true`, only projects that are in no group.'),
  tag: query('Tag that the projects have, whatever its case. Empty lists all.'),
  owner: query('Owner of the projects, whatever its case. Empty lists all.'),
  replace: flag('With `true`, it takes the place of the version that is there now.'),
  revision: query('Which of several removed publications; the one that was removed last is the default.'),
  purge: flag('With `true`, the version is deleted for good: nothing of it is kept.'),
  dryRun: flag('With `true`, nothing is changed: the answer says what would be removed.', {
    name: 'dry_run',
  }),
  q: query('What to search for, at most 200 characters. Words after the twelfth are ignored.', {
    required: true,
    example: 'install',
  }),
  ofProject: query('Directory name of the only project to search in.', { name: 'project' }),
  ofVersion: query(
    'Version label, an alias, `latest`, or `~<name>` of a preview. `all` stands for the newest 50 versions that have an index, unless a version or alias has that name. It needs `project`; without it, the latest version is searched unless it is hidden.',
    { name: 'version' },
  ),
  ofGroup: query('Group of the projects to search in, whatever its case. Empty searches all.', {
    name: 'group',
  }),
  ofTag: query('Tag of the projects to search in, whatever its case. Empty searches all.', { name: 'tag' }),
  ofOwner: query('Owner of the projects to search in, whatever its case. Empty searches all.', {
    name: 'owner',
  }),
  facets: flag('With `true`, all pages that match are counted by project, group, tag and kind of page.'),
  limit: query('Max. number of results.', {
    schema: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
  }),
  days: query('Number of days to count back, today included.', {
    schema: { type: 'integer', minimum: 1, maximum: USAGE_KEPT_DAYS, default: DEFAULT_USAGE_DAYS },
  }),
  usageFormat: query('`json` has sums for all days, `csv` a row for each day, version and path.', {
    name: 'format',
    schema: { type: 'string', enum: ['json', 'csv'], default: 'json' },
  }),
  resultOffset: query('Results to leave out.', {
    name: 'offset',
    schema: { type: 'integer', minimum: 0, maximum: MAX_RESULTS - 1, default: 0 },
  }),
} as const satisfies Record<string, Parameter>;

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
  'WWW-Authenticate': 'Always `Bearer`.',
  'Retry-After': 'Seconds after which another try makes sense.',
} as const;

export type HeaderName = keyof typeof HEADERS;
