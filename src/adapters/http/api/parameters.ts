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
  alias: path('Name of the alias, formed like that of a version, or `latest`.', 'stable'),
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
  offset: query('Number of pages to skip in each list.', {
    schema: { type: 'integer', minimum: 0, default: 0 },
  }),
  named: path('Version label, an alias, `~<name>` of a preview, or the literal `latest`.', 'latest', {
    name: 'version',
  }),
  linkOffset: query('Number of dead links to skip.', {
    name: 'offset',
    schema: { type: 'integer', minimum: 0, default: 0 },
  }),
  name: path('Name of the preview.', 'pr-123'),
  maker: path('Name of the token that created it.', 'team-a'),
  tokenName: path('Name of the token, without that of its maker.', 'ci', { name: 'name' }),
  search: query(
    'Part of the name or directory name, ignoring case, at most 200 characters. Empty lists all.',
  ),
  group: query('Group of the projects, ignoring case. Empty lists all.'),
  ungrouped: flag('With `true`, only projects without a group.'),
  tag: query('Tag of the projects, ignoring case. Empty lists all.'),
  owner: query('Owner of the projects, ignoring case. Empty lists all.'),
  replace: flag('With `true`, an existing version is replaced.'),
  revision: query('Removed publication to restore; default: the last removed.'),
  purge: flag('With `true`, the version is deleted permanently: nothing of it is kept.'),
  dryRun: flag('With `true`, nothing is changed: the response lists what would be removed.', {
    name: 'dry_run',
  }),
  q: query('Words to search for, at most 200 characters. Words after the twelfth are ignored.', {
    required: true,
    example: 'install',
  }),
  ofProject: query('Directory name of the project to search.', { name: 'project' }),
  ofVersion: query(
    'Version label, an alias, `latest`, or `~<name>` of a preview. `all` searches the newest 50 versions that have an index, unless a version or alias has that name. Requires `project`. Without it, the latest version is searched unless it is hidden.',
    { name: 'version' },
  ),
  ofGroup: query('Group of the projects to search, ignoring case. Empty searches all.', {
    name: 'group',
  }),
  ofTag: query('Tag of the projects to search, ignoring case. Empty searches all.', { name: 'tag' }),
  ofOwner: query('Owner of the projects to search, ignoring case. Empty searches all.', {
    name: 'owner',
  }),
  allProjects: flag(
    'With `true`, all projects are searched for all of `q`, even if it begins with the name of a project. Has no effect with `project`.',
    { name: 'all_projects' },
  ),
  facets: flag('With `true`, the matching pages are counted by project, group, tag and kind of page.'),
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
  resultOffset: query('Number of results to skip.', {
    name: 'offset',
    schema: { type: 'integer', minimum: 0, maximum: MAX_RESULTS - 1, default: 0 },
  }),
} as const satisfies Record<string, Parameter>;

export type ParameterName = keyof typeof PARAMETERS;

/** Request headers that change a response. */
export const REQUEST_HEADERS = {
  'If-None-Match': 'ETags of cached copies; 304 if one is current.',
  'If-Modified-Since': 'A date; 304 if nothing is newer. Ignored with If-None-Match.',
  'Accept-Language': 'Languages of the reader, English by default. Pages in other languages rank lower.',
  Range: 'One range of bytes (RFC 9110, section 14).',
  'If-Range': 'ETag or date that the range requires; otherwise the whole body is sent.',
} as const;

export type RequestHeaderName = keyof typeof REQUEST_HEADERS;

export const HEADERS = {
  'X-Request-Id': 'ID of the request in the server log.',
  ETag: 'Changes whenever the body changes.',
  Vary: 'Request headers that the body depends on.',
  'Last-Modified': 'Time of the last change of the body.',
  'Accept-Ranges': 'Always `bytes`.',
  'Content-Range': 'Range of the response, and total size.',
  'Content-Disposition': 'File name of the archive; `latest` is replaced by its version.',
  Location: 'Path of the published site.',
  'WWW-Authenticate': 'Always `Bearer`.',
  'Retry-After': 'Seconds to wait before a retry.',
} as const;

export type HeaderName = keyof typeof HEADERS;
