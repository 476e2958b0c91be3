/** The name of a row that leads to its site, and marks beside it; `to` names the section until the script knows the site. */
export function NameLink({ to }: { readonly to: string }) {
  return (
    <p class="managed-name">
      <a data-part="name" href={`#${to}-heading`}>
        Site
      </a>{' '}
      <span class="managed-marks" data-part="marks" />
    </p>
  );
}
