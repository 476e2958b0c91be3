import { Readable } from 'node:stream';
import type {
  DailyUsage,
  PageOf,
  ShownUsage,
  ShowSearches,
  ShowUsage,
  UsageModel,
} from '../../application/index.js';
import {
  COUNTED,
  lastDays,
  noTotals,
  PageAddress,
  type Project,
  refuse,
  USAGE_KEPT_DAYS,
} from '../../domain/index.js';
import type { Body } from '../../formats/api/bodies.js';
import type { ApiOperation } from './api/api-operation.js';
import { DEFAULT_USAGE_DAYS, numberOf, parameterOf } from './api/query.js';
import type { AppParts } from './app-parts.js';
import { HttpFault } from './errors.js';
import { missingPage } from './own/missing.js';
import { type Answer, type Asked, type Handle, jsonAnswer, ownPage, textAnswer } from './response/answer.js';
import { type MakeText, Text, type Texts } from './response/texts.js';

/** Max. age of a cached report, in milliseconds: counts are saved once a minute. */
const MAX_AGE_MS = 60_000;

const BODIES = {
  'application/json': { schema: { $ref: '#/components/schemas/Usage' } },
  'text/csv': { schema: { type: 'string' } },
};

const COUNTS = { reads: 12, agents: 5, not_found: 3 };

export const usageExample: Body<'Usage'> = {
  project: 'my-project',
  from: '2026-03-04',
  to: '2026-03-04',
  ...COUNTS,
  days: [{ date: '2026-03-04', ...COUNTS }],
  versions: [{ version: '1.0.0', ...COUNTS }],
  other_versions: { reads: 0, agents: 0, not_found: 0 },
  pages: [{ path: 'index.html', reads: 12, versions: ['1.0.0'] }],
  agent_pages: [{ path: 'index.html', agents: 5, versions: ['1.0.0'] }],
  missing: [
    {
      path: 'instal.html',
      not_found: 3,
      versions: ['1.0.0'],
      proposed_redirect: '/instal.html /install.html 301',
    },
  ],
  missing_files: [],
};

/** `GET /api/projects/{project}/usage`: how a project is read. */
export function usageOperation({ texts }: AppParts, showUsage: ShowUsage): ApiOperation {
  return {
    method: 'get',
    path: '/api/projects/{project}/usage',
    id: 'showUsage',
    use: 'Manage',
    summary: 'Show reads and missing pages of a project',
    description:
      'Only with `--usage`. Days are in UTC; the last minute or two are not included yet. Previews are not counted.',
    parameters: ['project', 'days', 'usageFormat'],
    requestHeaders: ['If-None-Match'],
    answers: {
      200: { description: 'The counts.', body: BODIES, headers: ['ETag', 'Vary'] },
      304: { description: 'Not modified.', headers: ['ETag', 'Vary'] },
    },
    refusals: ['project_not_found'],
    handle: async (asked) => {
      const { project: name = '' } = asked.params;
      const days = usageDaysOf(asked);
      const format = parameterOf(asked, 'format') || 'json';
      if (format === 'csv') return rowsAnswer(name, days, showUsage.daily(asked.visitor.seen(), name, days));
      if (format !== 'json') throw new HttpFault('invalid_request', "'format' must be json or csv");
      const project = asked.visitor.seen().listedProject(name);
      if (project === undefined) throw refuse.projectNotFound(name);
      const make = async () =>
        Text.json(usageBody(await showUsage.execute(asked.visitor.seen(), name, days)));
      return textAnswer(await recentUsage(texts, 'json', project, days, make));
    },
  };
}

/** `GET /api/usage/searches`: searches that found nothing. */
export function searchesOperation(showSearches: ShowSearches): ApiOperation {
  return {
    method: 'get',
    path: '/api/usage/searches',
    id: 'showSearches',
    use: 'Manage',
    summary: 'List searches without results',
    description:
      'Only with `--usage` and search. The token must have `allow_manage` for every project, since searches may contain secrets. A search is listed once five clients have made it within two days; people and agents are counted separately. The last minute or two are not included yet.',
    parameters: ['days'],
    needsToken: true,
    answers: { 200: { description: 'The searches.', body: 'UnfoundSearches' } },
    refusals: ['manage_not_allowed', 'invalid_request'],
    handle: async (asked, actor) => {
      const { from, to, people, agents } = await showSearches.execute(actor, usageDaysOf(asked));
      const body = { from, to, people: [...people], agents: [...agents] };
      return jsonAnswer('UnfoundSearches', 200, body, 'never');
    },
  };
}

/** `/-/projects/<project>/usage`: how a project is read. */
export function usagePage(parts: AppParts, showUsage: ShowUsage, page: PageOf<UsageModel>): Handle {
  const { pages, texts } = parts;
  return async (asked) => {
    const { project: name = '' } = asked.params;
    const days = usageDaysOf(asked);
    const seen = asked.visitor.seen();
    const project = seen.listedProject(name);
    if (project === undefined) return missingPage(asked, parts, { what: 'project' }, `/${name}`);
    const make = async () => {
      const usage = await showUsage.execute(seen, name, days);
      return ownPage(pages.of(page, { usage, days }));
    };
    return textAnswer(await recentUsage(texts, 'page', project, days, make));
  };
}

/** @throws HttpFault `invalid_request` for anything but a number of days that are kept */
function usageDaysOf(asked: Asked): number {
  return numberOf(asked, 'days', DEFAULT_USAGE_DAYS, 1, USAGE_KEPT_DAYS);
}

/** Returns a report as a text, from the cache when it is recent: repeated requests cost no more. */
function recentUsage(
  texts: Texts,
  kind: 'page' | 'json',
  project: Project,
  days: number,
  make: MakeText,
): Promise<Text> {
  return texts.get(`usage ${kind}/${project.directoryName} ${project.revision} ${days}`, make, MAX_AGE_MS);
}

function usageBody(usage: ShownUsage): Body<'Usage'> {
  const { project, from, to, total, days, versions, others, reads, agents, misses, missingFiles } = usage;
  return {
    project: project.directoryName,
    from,
    to,
    ...totals(total),
    days: days.map(({ day, ...counts }) => ({ date: day, ...totals(counts) })),
    versions: versions.map(({ label, ...counts }) => ({ version: label, ...totals(counts) })),
    other_versions: totals(others),
    pages: reads.map(({ path, count, versions }) => ({ path, reads: count, versions: [...versions] })),
    agent_pages: agents.map(({ path, count, versions }) => ({
      path,
      agents: count,
      versions: [...versions],
    })),
    missing: misses.map(({ path, count, versions, leadsTo, proposedRedirect }) => ({
      path,
      not_found: count,
      versions: [...versions],
      ...(leadsTo === undefined ? {} : { leads_to: leadsTo }),
      ...(proposedRedirect === undefined ? {} : { proposed_redirect: proposedRedirect }),
    })),
    missing_files: missingFiles.paths.map(({ path, count, versions }) => ({
      path,
      not_found: count,
      versions: [...versions],
    })),
  };
}

const totals = ({ reads, agents, misses }: ShownUsage['total']) => ({ reads, agents, not_found: misses });

/** A row for each day, version and path, which is sent as they are read. */
function rowsAnswer(project: string, days: number, daily: AsyncIterable<DailyUsage>): Answer {
  const { from, to } = lastDays(days, new Date());
  return {
    status: 200,
    cache: 'revalidate',
    headers: { 'Content-Disposition': `attachment; filename="${project}-usage-${from}-${to}.csv"` },
    body: { type: 'text/csv; charset=utf-8', stream: Readable.from(rowsOf(daily)) },
  };
}

async function* rowsOf(daily: AsyncIterable<DailyUsage>): AsyncGenerator<string> {
  yield 'date,version,path,reads,not_found,agents\r\n';
  for await (const { day, usage, others } of daily) {
    const rows: string[] = [];
    for (const [label, version] of usage) {
      const rest = noTotals();
      const paths = new Map<string, DailyUsage['others']>();
      for (const counted of COUNTED) {
        rest[counted] = version[counted].total;
        for (const [path, count] of version[counted].paths) {
          paths.set(path, { ...noTotals(), ...paths.get(path), [counted]: count });
          rest[counted] -= count;
        }
      }
      for (const [path, counts] of paths) rows.push(rowOf([day, label, cellOf(path)], counts));
      if (COUNTED.some((counted) => rest[counted] > 0)) rows.push(rowOf([day, label, ''], rest));
    }
    if (COUNTED.some((counted) => others[counted] > 0)) rows.push(rowOf([day, '', ''], others));
    yield rows.join('');
  }
}

function rowOf(cells: readonly string[], { reads, misses, agents }: DailyUsage['others']): string {
  return `${cells.join()},${reads},${misses},${agents}\r\n`;
}

/**
 * The path as addresses have it, with its leading slash: no program takes it for a formula, or for more than one cell,
 * since it has neither quotes nor separators, nor begins with `=`, `+`, `-` or `@`.
 */
function cellOf(path: string): string {
  return `/${PageAddress.of(path)?.toUrl() ?? ''}`;
}
