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
    <span class={`logo logo-letter hue-${colourOf(project)}`} aria-hidden="true">
      {/[\p{L}\p{N}]/u.exec(project.title)?.[0].toUpperCase() ?? '·'}
    </span>
  );
}

/** Number of colours of letters: `.hue-0` and so on in the style sheet. */
const COLOURS = 8;

/** Colour of a project's letter, which helps to find it again: always the same for a name. */
function colourOf({ directoryName }: Project): number {
  return (
    [...directoryName].reduce((hash, letter) => (31 * hash + (letter.codePointAt(0) ?? 0)) % 9_973, 7) %
    COLOURS
  );
}
