import { isNumbered, isStable, type Project, type Version } from '../../../domain/index.js';

interface MarksProps {
  readonly project: Project;
  readonly version: Version;
}

/** Marks of a version: latest, stable, pre-release, copied in. */
export function Marks({ project, version }: MarksProps) {
  const isLatest = version.label === project.latest.label;
  return (
    <>
      {isLatest && <span class="mark mark-latest">latest</span>}
      {!isStable(version.label) && <span class="mark mark-pre-release">pre-release</span>}
      {isNumbered(version.label) && isStable(version.label) && <span class="mark mark-stable">stable</span>}
      {version.origin === 'copied' && <span class="mark mark-copied">copied in</span>}
    </>
  );
}
