import type { Authority } from '../delivery/index.ts';
import type { AuthorityOptions } from './policies/index.ts';

/** Of which objects whom may be told, by roles, bindings and grants: loaded when somebody is, whose rights count. */
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
