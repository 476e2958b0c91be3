import { LATEST, type Project, type Version, versionKind } from '../../../domain/index.js';

interface MarksProps {
  readonly project: Project;
  readonly version: Version;
}

/** Marks of the versions that are no plain release: latest, pre-release, branch, commit, aliases, deprecated. */
export function Marks({ project, version }: MarksProps) {
  const kind = versionKind(version.label);
  return (
    <>
      {project.isLatest(version) && <span class="mark mark-latest">latest</span>}
      {kind !== 'release' && <span class="mark mark-pre-release">{kind}</span>}
      {project
        .aliasesOf(version.label)
        .filter((alias) => alias !== LATEST)
        .map((alias) => (
          <span class="mark mark-alias" key={alias}>
            {alias}
          </span>
        ))}
      {project.deprecation(version) !== undefined && <span class="mark mark-deprecated">deprecated</span>}
    </>
  );
}
