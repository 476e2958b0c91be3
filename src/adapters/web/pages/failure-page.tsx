import type { PageModels } from '../../../application/index.js';
import { Layout } from '../components/layout.js';
import { useAddresses } from '../components/page-context.js';

/** Any error that is not a missing page. */
export function FailurePage({ status, title, message, requestId }: PageModels['failure']) {
  const addresses = useAddresses();
  return (
    <Layout title={title}>
      <div class="narrow">
        <p class="status">{status}</p>
        <h1>{title}</h1>
        <p>{message}</p>
        <ul class="plain-list actions">
          <li class="action">
            <a href={addresses.projects}>All projects</a>
          </li>
        </ul>
        {requestId !== undefined && (
          <p class="count">
            Request <code>{requestId}</code>
          </p>
        )}
      </div>
    </Layout>
  );
}
