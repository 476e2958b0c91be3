import { code } from '../help/block.js';
import { uploadCommand } from '../help/help-examples.js';
import { useAddresses, useSite } from './page-context.js';
import { Prose } from './prose.js';

/** What to type on a server without projects. */
export function FirstUpload({ address }: { readonly address: string }) {
  const addresses = useAddresses();
  const { uploads } = useSite();
  return (
    <section class="notice" aria-labelledby="first">
      <h2 id="first">Publish the first documentation</h2>
      {uploads ? (
        <p>Zip a built site, name the archive after project and version, and send it:</p>
      ) : (
        <p>
          This server takes no uploads yet: start it with <code>--tokens</code>. Then zip a built site, name
          the archive after project and version, and send it:
        </p>
      )}
      <Prose blocks={[code(...uploadCommand(address))]} />
      <p>
        It appears here a moment later. <a href={addresses.help}>Help</a> says more about names, archives and
        tokens.
      </p>
    </section>
  );
}
