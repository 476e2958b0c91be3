import type { ComponentChildren } from 'preact';

interface SectionProps {
  /** Prefix of the ids: `<name>-heading`, `<name>-said`, `<name>-failure`. */
  readonly name: string;
  readonly title: string;
  readonly children: ComponentChildren;
}

/** One part of the page to manage a project, with the places of what the server said last. */
export function Section({ name, title, children }: SectionProps) {
  return (
    <section class="managed" id={name} aria-labelledby={`${name}-heading`}>
      <h2 id={`${name}-heading`}>{title}</h2>
      {children}
      <p class="done" id={`${name}-said`} role="status" tabindex={-1} />
      <p class="failure" id={`${name}-failure`} role="alert" />
    </section>
  );
}
