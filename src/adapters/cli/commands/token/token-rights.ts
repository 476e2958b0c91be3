import type { Answer } from '../../client/index.js';

/** What a token may do, in a few words for people. */
export function rightsOf(token: Omit<Answer<'TokenInfo'>, 'name'>): string {
  const { projects, read = [], existing_projects_only, previews_only = false } = token;
  const reads = read.length === 0 ? '' : `; read ${read.join(', ')}`;
  if (projects?.length === 0) return `publish nothing${reads}`;
  const rights = [
    'publish',
    ...(token.allow_overwrite ? ['replace'] : []),
    ...(token.allow_delete ? ['delete'] : []),
  ];
  const what = previews_only ? 'publish and delete previews' : `${rights.join(', ')} versions`;
  const which = projects === undefined ? 'every project' : projects.join(', ');
  const existing = existing_projects_only ? ', if the project exists' : '';
  const settings = token.allow_manage && !previews_only ? '; change their settings' : '';
  const tokens = token.allow_tokens === true ? '; make tokens' : '';
  return `${what} of ${which}${existing}${settings}${reads}${tokens}`;
}
