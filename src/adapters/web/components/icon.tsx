/** Paths of 20 × 20 px, drawn as lines. */
const ICONS = {
  search: 'M8.75 14a5.25 5.25 0 1 0 0-10.5 5.25 5.25 0 0 0 0 10.5ZM12.6 12.6l4.15 4.15',
  page: 'M5.5 2.75h6l3.5 3.5v11h-9.5zM11.25 3v3.5h3.5M8 10.25h4.25M8 13.25h4.25',
  type: 'M10 2.75 16.25 6.25v7.5L10 17.25 3.75 13.75v-7.5zM4 6.4l6 3.35 6-3.35M10 9.9v7.1',
  function:
    'M7.5 4C5.5 4 5.75 6.25 5.75 7.5S5.25 10 4 10c1.25 0 1.75 1.25 1.75 2.5S5.5 16 7.5 16M12.5 4c2 0 1.75 2.25 1.75 3.5S14.75 10 16 10c-1.25 0-1.75 1.25-1.75 2.5S14.5 16 12.5 16',
  value: 'M3.75 10.5V4.75a1 1 0 0 1 1-1h5.75l6 6-6.75 6.75zM7.25 7.25h.01',
  option:
    'M3.5 6.5h6M14.5 6.5h2M3.5 13.5h2M10.5 13.5h6M12 8.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM8 15.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z',
  module: 'M10 3.25 16.5 6.5 10 9.75 3.5 6.5zM3.5 10l6.5 3.25L16.5 10M3.5 13.5l6.5 3.25 6.5-3.25',
  section: 'M8.25 3.5 6.5 16.5M13.5 3.5l-1.75 13M3.75 7.75h13M3.25 12.25h13',
  list: 'M7.25 5.5h9.25M7.25 10h9.25M7.25 14.5h9.25M3.75 5.5h.01M3.75 10h.01M3.75 14.5h.01',
  history: 'M4.25 6.75A6.75 6.75 0 1 1 3.25 10M3.75 3.5V7h3.5M10 6.25V10l2.5 1.75',
  download: 'M10 3.5v9M6.25 9 10 12.75 13.75 9M4 16.5h12',
} as const;

const BOX = '0 0 20 20';

export type IconName = keyof typeof ICONS;

interface IconProps {
  readonly name: IconName;
}

/** An icon beside words that say the same: hidden from screen readers. */
export function Icon({ name }: IconProps) {
  return (
    <svg class="icon" viewBox={BOX} aria-hidden="true">
      <path d={ICONS[name]} />
    </svg>
  );
}

/** Shapes for the `TellingIcon`s of a list, each once. */
export function Shapes({ names }: { readonly names: Iterable<IconName> }) {
  return (
    <div hidden>
      <svg aria-hidden="true">
        {[...names].map((name) => (
          <symbol key={name} id={`icon-${name}`} viewBox={BOX}>
            <path d={ICONS[name]} />
          </symbol>
        ))}
      </svg>
    </div>
  );
}

/**
 * An icon that says something by itself: its label is its tooltip, and read by screen readers. Its shape is in the `Shapes` of
 * the list.
 */
export function TellingIcon({ name, label }: IconProps & { readonly label: string }) {
  return (
    <svg class="icon" role="img">
      <title>{label}</title>
      <use href={`#icon-${name}`} />
    </svg>
  );
}
