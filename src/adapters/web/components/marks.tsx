import { isStable, LATEST, type Project, type Version } from '../../../domain/index.js';

interface MarksProps {
  readonly project: Project;
  readonly version: Version;
}

/** Marks of the versions that are no plain release: latest, pre-release, aliases, deprecated. */
export function Marks({ project, version }: MarksProps) {
  const isLatest = version.label === project.latest.label;
  return (
    <>
      {isLatest && <span class="mark mark-latest">latest</span>}
      {!isStable(version.label) && <span class="mark mark-pre-release">pre-release</span>}
      {project
        .aliasesOf(version.label)
        .filter((alias) => alias !== LATEST)
        .map((alias) => (
          <span class="mark mark-alias" key={alias}>
            {alias}
          </span>
        ))}
      {project.deprecation(version.label) !== undefined && (
        <span class="mark mark-deprecated">deprecated</span>
      )}
    </>
  );
}
