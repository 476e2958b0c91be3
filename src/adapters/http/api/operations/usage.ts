import { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { DailyUsage, ShownUsage, ShowUsage } from '../../../../application/index.js';
import { COUNTED, lastDays, noTotals, PageAddress, refuse } from '../../../../domain/index.js';
import type { Body } from '../../../../formats/api/bodies.js';
import type { AppParts } from '../../app-parts.js';
import { HttpFault } from '../../errors.js';
import { setCachePolicy } from '../../response/cache-policy.js';
import { sendText, Text } from '../../response/send-text.js';
import type { ApiOperation } from '../api-operation.js';
import { parameterOf } from '../query.js';
import { recentUsage, usageDaysOf } from '../usage-of.js';

const BODIES = {
  'application/json': { schema: { $ref: '#/components/schemas/Usage' } },
  'text/csv': { schema: { type: 'string' } },
};

/** `GET /api/projects/{project}/usage`: how a project is read. */
export function usageOperation({ seen, texts }: AppParts, showUsage: ShowUsage): ApiOperation {
  return {
    method: 'get',
    path: '/api/projects/{project}/usage',
    id: 'showUsage',
    use: 'Manage',
    summary: 'Shows how often the pages of a project are read, and which missing pages are asked for',
    description:
      'With `--usage` only. Days are those of UTC; the last minute or two are not in it yet. Previews are not counted.',
    parameters: ['project', 'days', 'usageFormat'],
    requestHeaders: ['If-None-Match'],
    answers: {
      200: { description: 'The counts.', body: BODIES, headers: ['ETag', 'Vary'] },
      304: { description: 'Nothing has changed.', headers: ['ETag', 'Vary'] },
    },
    refusals: ['project_not_found'],
    handle: async (ctx) => {
      const { project: name } = ctx.params;
      const days = usageDaysOf(ctx);
      const format = parameterOf(ctx, 'format') || 'json';
      if (format === 'csv') return sendRows(ctx, name, days, showUsage.daily(seen.in(ctx), name, days));
      if (format !== 'json') throw new HttpFault('invalid_request', "'format' is json or csv");
      const project = seen.in(ctx).listedProject(name);
      if (project === undefined) throw refuse.projectNotFound(name);
      const make = async () => Text.json(usageBody(await showUsage.execute(seen.in(ctx), name, days)));
      await sendText(ctx, await recentUsage(texts, 'json', project, days, make));
    },
  };
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

/** Sends a row for each day, version and path, as they are read. */
function sendRows(ctx: Context, project: string, days: number, daily: AsyncIterable<DailyUsage>): void {
  const { from, to } = lastDays(days, new Date());
  ctx.attachment(`${project}-usage-${from}-${to}.csv`);
  setCachePolicy(ctx, 'revalidate');
  ctx.body = Readable.from(rowsOf(daily));
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
