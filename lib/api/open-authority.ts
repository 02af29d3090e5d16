import type { Authority } from '../watch/index.ts';

/** Of which objects whom may be told, by roles, bindings and grants: loaded when somebody is, whose rights count. */
export function openAuthority(): Authority {
  let opened: Promise<Authority> | undefined;
  return {
    now: async (store) => {
      opened ??= open();
      return (await opened).now(store);
    },
  };
}

async function open(): Promise<Authority> {
  const { createAuthority } = await import('./policies/index.ts');
  return createAuthority();
}
