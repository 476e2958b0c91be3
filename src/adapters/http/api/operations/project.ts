import type { DiskUse } from '../../../../application/index.js';
import { type Project, refuse, retentionBody, settingsBody } from '../../../../domain/index.js';
import type { Body } from '../../../../formats/api/bodies.js';
import type { AppParts } from '../../app-parts.js';
import { sendText, Text } from '../../response/send-text.js';
import { stateNumber } from '../../response/state-number.js';
import type { ApiOperation } from '../api-operation.js';
import { projectBody } from '../projections.js';

/** `GET /api/projects/{project}`: one project with its settings. */
export function projectOperation({ useCases, seen, at, texts }: AppParts): ApiOperation {
  const { diskUse, applyRetention } = useCases;
  const textOf = (project: Project, use: DiskUse) => {
    const retention = retentionBody(applyRetention.rulesOf(project));
    const body: Body<'ProjectDetails'> = {
      ...projectBody(project, at),
      settings: settingsBody(project.settings),
      ...(Object.keys(retention).length === 0 ? {} : { retention }),
      disk_use: { ...use, total: use.versions + use.previews + use.removed },
    };
    return Text.json(body);
  };
  return {
    method: 'get',
    path: '/api/projects/{project}',
    id: 'showProject',
    use: 'Read and search',
    summary: 'Shows one project with its versions and settings',
    parameters: ['project'],
    requestHeaders: ['If-None-Match'],
    answers: {
      200: { description: 'The project.', body: 'ProjectDetails', headers: ['ETag', 'Vary'] },
      304: { description: 'Nothing has changed.', headers: ['ETag', 'Vary'] },
    },
    refusals: ['project_not_found'],
    handle: async (ctx) => {
      const project = seen.in(ctx).project(ctx.params.project);
      if (project === undefined) throw refuse.projectNotFound(ctx.params.project);
      const use = await diskUse(project.directoryName);
      const key = `details ${stateNumber(project)} ${use.versions} ${use.previews} ${use.removed}`;
      await sendText(ctx, await texts.get(key, () => textOf(project, use)));
    },
  };
}
