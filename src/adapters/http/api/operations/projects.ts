import { type DiskUse, KeyedMutex } from '../../../../application/index.js';
import {
  isFiltering,
  type Project,
  refuse,
  retentionBody,
  settingsBody,
  shownSource,
} from '../../../../domain/index.js';
import type { Body } from '../../../../formats/api/bodies.js';
import type { AppParts } from '../../app-parts.js';
import { type Answer, type Asked, JSON_TYPE, textAnswer } from '../../response/answer.js';
import { stateNumber, Text } from '../../response/texts.js';
import type { ApiOperation } from '../api-operation.js';
import { downloadsBody, projectBody, sourceField } from '../projections.js';
import { filterOf, searchOf } from '../query.js';

/** Versions whose JSON is made in one turn of the event loop: some 2 ms. */
const MAX_VERSIONS_IN_TURN = 1_000;

/** `GET /api/projects`: projects and their versions. */
export function listOperation(parts: AppParts): ApiOperation {
  const list = new ProjectList(parts);
  return {
    method: 'get',
    path: '/api/projects',
    id: 'listProjects',
    use: 'Read and search',
    summary: 'List projects and their versions',
    description: 'Sorted by `id`; versions run from the oldest to the newest.',
    parameters: ['search', 'group', 'ungrouped', 'tag', 'owner'],
    requestHeaders: ['If-None-Match'],
    answers: {
      200: {
        description: 'All projects, or the matching ones.',
        body: 'ProjectList',
        headers: ['ETag', 'Vary'],
      },
      304: { description: 'Not modified.', headers: ['ETag', 'Vary'] },
    },
    handle: (asked) => list.answer(asked),
  };
}

/** `GET /api/projects/{project}`: one project with its settings. */
export function projectOperation({ useCases, at, texts }: AppParts): ApiOperation {
  const { diskUse, applyRetention, knownLinks } = useCases;
  const textOf = (project: Project, use: DiskUse, isKnown: boolean, deadLinks = 0) => {
    const retention = retentionBody(applyRetention.rulesOf(project));
    const body: Body<'ProjectDetails'> = {
      ...projectBody(project, at, (version) => ({
        ...downloadsBody(version, at),
        ...sourceField(shownSource({ project, version }, isKnown)),
      })),
      settings: settingsBody(project.settings),
      ...(Object.keys(retention).length === 0 ? {} : { retention }),
      disk_use: { ...use, total: use.versions + use.previews + use.removed },
      ...(deadLinks > 0 ? { dead_links: deadLinks } : {}),
    };
    return Text.json(body);
  };
  return {
    method: 'get',
    path: '/api/projects/{project}',
    id: 'showProject',
    use: 'Read and search',
    summary: 'Show a project with its versions and settings',
    parameters: ['project'],
    requestHeaders: ['If-None-Match'],
    answers: {
      200: { description: 'The project.', body: 'ProjectDetails', headers: ['ETag', 'Vary'] },
      304: { description: 'Not modified.', headers: ['ETag', 'Vary'] },
    },
    refusals: ['project_not_found'],
    handle: async (asked) => {
      const { project: name = '' } = asked.params;
      const project = asked.visitor.seen().project(name);
      if (project === undefined) throw refuse.projectNotFound(name);
      const use = await diskUse(project.directoryName);
      const deadLinks = await knownLinks?.ofLatest(project);
      const isKnown = asked.visitor.isSomebody;
      const key = `details ${stateNumber(project)} ${use.versions} ${use.previews} ${use.removed} ${deadLinks} ${isKnown}`;
      return textAnswer(await texts.get(key, () => textOf(project, use, isKnown, deadLinks)));
    },
  };
}

/** `GET /api/projects`. The whole list is cached; a search result is made for each request. */
class ProjectList {
  /** The large search result that is being made. */
  private readonly mutex = new KeyedMutex();

  constructor(private readonly parts: Pick<AppParts, 'useCases' | 'at' | 'texts' | 'turns'>) {}

  /** @throws HttpFault `invalid_request` for a query that `searchOf` or `filterOf` refuses */
  async answer(asked: Asked): Promise<Answer> {
    const { useCases, texts, turns } = this.parts;
    const [name, filter] = [searchOf(asked), filterOf(asked)];
    const isPart = !name.isEmpty || isFiltering(filter);
    if (isPart) {
      await turns.next();
      // Nobody waits for it any more.
      asked.waiter.signal.throwIfAborted();
    }
    const wanted = { name, filter, withHidden: true };
    const projects = await useCases.listProjects.execute(asked.visitor.seen(), wanted);
    if (isPart) return textAnswer(await this.found(projects));
    return textAnswer(await texts.get(`projects ${stateNumber(projects)}`, () => this.listOf(projects)));
  }

  /** Large results are made and compressed one at a time, which is most of their cost. */
  private async found(projects: readonly Project[]): Promise<Text> {
    const make = async () => {
      const text = await this.listOf(projects);
      await text.gzip();
      return text;
    };
    const versions = projects.reduce((sum, project) => sum + project.versions.length, 0);
    return versions < MAX_VERSIONS_IN_TURN ? make() : this.mutex.run('large', make);
  }

  private async listOf(projects: readonly Project[]): Promise<Text> {
    const parts: string[] = [];
    let versions = 0;
    for (const project of projects) {
      parts.push(JSON.stringify(projectBody(project, this.parts.at)));
      versions += project.versions.length;
      if (versions < MAX_VERSIONS_IN_TURN) continue;
      versions = 0;
      await this.parts.turns.next();
    }
    return new Text(`{"projects":[${parts.join(',')}],"count":${parts.length}}`, JSON_TYPE);
  }
}
