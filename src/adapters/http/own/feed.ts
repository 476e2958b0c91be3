import type { RecentChange } from '../../../application/index.js';
import { sitePathOf } from '../api/projections.js';
import type { AppParts } from '../app-parts.js';
import { HttpFault } from '../errors.js';
import { type Handle, textAnswer } from '../response/answer.js';
import { Text } from '../response/texts.js';

const ATOM = 'application/atom+xml; charset=utf-8';

/**
 * `/-/feed.atom`, `/-/projects/<project>/feed.atom`: the versions that were published, replaced and removed lately, as far as
 * the reader may see them now.
 */
export function feed({ useCases, pages, at, turns }: AppParts): Handle {
  return async (asked) => {
    const { project: name } = asked.params;
    const seen = asked.visitor.seen();
    const project = name === undefined ? undefined : seen.listedProject(name);
    if (name !== undefined && project === undefined)
      throw new HttpFault('not_found', 'There is no such project');
    await turns.next();
    const changes = await useCases.recentChanges.execute(seen, asked.visitor.reader(), project);
    const address = at.of(asked);
    const pageOf = (of: string | undefined) =>
      `${address}${of === undefined ? '/' : `/-/projects/${encodeURIComponent(of)}`}`;
    const feedOf = (of: string | undefined) =>
      of === undefined ? `${address}/-/feed.atom` : `${pageOf(of)}/feed.atom`;
    const linkOf = ({ kind, version, project: home }: RecentChange) => {
      if (kind === 'removed') return pageOf(home?.directoryName);
      const path = sitePathOf(encodeURIComponent(version.directoryName).replaceAll('%2B', '+'));
      return at.canonical({ path, onHost: at.isRedirecting }) ?? address + path;
    };
    const entries = changes.map((change) => {
      const { kind, version } = change;
      // Once the publication that it replaced is gone for good, a version counts as published: its id stays.
      const revision = encodeURIComponent(version.revision) + (kind === 'removed' ? '/removed' : '');
      const id = `${feedOf(version.project)}#${encodeURIComponent(version.label)}/${revision}`;
      return { id, link: linkOf(change), change };
    });
    const page = pageOf(project?.directoryName);
    return textAnswer(
      new Text(pages.feed({ self: feedOf(project?.directoryName), page, project, entries }), ATOM),
    );
  };
}
