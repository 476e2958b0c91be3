import type { Project } from '../../../../domain/index.js';
import { useAddresses } from '../page-context.js';

/** The project's logo, or the first letter of its name. Decoration only: the name is always shown next to it. */
export function ProjectLogo({ project }: { readonly project: Project }) {
  const addresses = useAddresses();
  const source = addresses.logo(project);
  if (source !== undefined) {
    return <img class="logo" src={source} alt="" width="44" height="44" loading="lazy" />;
  }
  return (
    <span class="logo logo-letter" aria-hidden="true">
      {/[\p{L}\p{N}]/u.exec(project.title)?.[0].toUpperCase() ?? '·'}
    </span>
  );
}
