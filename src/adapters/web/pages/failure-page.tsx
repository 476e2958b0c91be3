import type { PageModels } from '../../../application/index.js';
import { Layout } from '../components/layout.js';
import { useAddresses } from '../components/page-context.js';
import { SignIn } from '../components/sign-in.js';

/** Any error that is not a missing page. */
export function FailurePage({ status, title, message, requestId, signIn }: PageModels['failure']) {
  const addresses = useAddresses();
  return (
    <Layout title={title}>
      <div class="narrow">
        <p class="status">{status}</p>
        <h1>{title}</h1>
        <p>{message}</p>
        <ul class="plain-list actions">
          <SignIn address={signIn} />
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
