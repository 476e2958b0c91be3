import { Layout } from '../components/layout.js';
import { useAddresses } from '../components/page-context.js';

export interface FailurePageProps {
  readonly status: number;
  readonly title: string;
  /** For people: what happened and what to do, without internals. */
  readonly message: string;
  /** Id of the request, to quote to the operator. */
  readonly requestId?: string;
}

/** Any error that is not a missing page. */
export function FailurePage({ status, title, message, requestId }: FailurePageProps) {
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
