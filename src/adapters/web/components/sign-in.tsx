/** A link to sign in, for readers who may see more then. It says nothing of whether there is more. */
export function SignIn({ address }: { readonly address: string | undefined }) {
  if (address === undefined) return null;
  return (
    <li class="action">
      <a href={address}>Sign in</a> to see what not everybody may read
    </li>
  );
}
