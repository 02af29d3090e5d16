import type { Authority } from '../delivery/index.ts';
import type { AuthorityOptions } from './policies/index.ts';

/** The rights of authors, by roles, bindings and grants. Loaded with the first author whose rights limit delivery. */
export function openAuthority(options: AuthorityOptions): Authority {
  let opened: Promise<Authority> | undefined;
  return {
    now: async (store, authors) => {
      opened ??= open(options);
      return (await opened).now(store, authors);
    },
  };
}

async function open(options: AuthorityOptions): Promise<Authority> {
  const { createAuthority } = await import('./policies/index.ts');
  return createAuthority(options);
}
