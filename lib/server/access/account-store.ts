import { NAMESPACES, SERVICE_ACCOUNTS } from '../../kubernetes/lifecycle/index.ts';
import type { Store } from '../../store/index.ts';
import { type AccountOptions, DEFAULT_ACCOUNT, ensureDefaultAccount } from '../objects/index.ts';
import { storeWith } from '../registry/index.ts';

/**
 * Wraps the store for writes of Namespaces and ServiceAccounts, so that every namespace has its ServiceAccount
 * `default`: a new namespace gets it, and a deleted account is created again. Both happen before the write is
 * acknowledged. If the process ends in between, the next pod of the namespace or the next start of reconcile creates
 * the account.
 */
export function accountStore(given: Store, options: Omit<AccountOptions, 'store'>): Store {
  return storeWith(given, (store) => ({
    write: async (collection, name, change, written) => {
      const outcome = await store.write(collection, name, change, written);
      if (written?.dryRun === true) return outcome;
      const isNewNamespace =
        collection === NAMESPACES && outcome.kind === 'put' && outcome.before === undefined;
      if (isNewNamespace) await ensureDefaultAccount({ ...options, store }, name.name);
      const isLost =
        collection === SERVICE_ACCOUNTS && outcome.kind === 'delete' && name.name === DEFAULT_ACCOUNT;
      if (isLost) await ensureDefaultAccount({ ...options, store }, name.namespace);
      return outcome;
    },
  }));
}
