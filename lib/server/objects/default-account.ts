import { type Collection, metadataOf } from '../../json/index.ts';
import { NAMESPACES, SERVICE_ACCOUNTS } from '../../kubernetes/lifecycle/index.ts';
import { findResourceType } from '../../kubernetes/resource-types/index.ts';
import type { WriteOutcome } from '../../store/index.ts';
import { ensureNamespace, readNamespace, SYSTEM_NAMESPACES } from './admit-namespace.ts';
import { type EnsureOptions, ensureObject } from './ensure-object.ts';

/** The name of the ServiceAccount that every namespace has, for pods that name none. */
export const DEFAULT_ACCOUNT = 'default';

export interface AccountOptions extends EnsureOptions {
  /** Announces a commit to dispatch. */
  announce(collection: Collection, outcome: WriteOutcome): Promise<void>;
}

/**
 * Creates the ServiceAccount `default` of a namespace if it is absent, and the namespace too if it is a system
 * namespace. A namespace that does not exist, or that is terminating, gets none.
 */
export async function ensureDefaultAccount(options: AccountOptions, namespace: string): Promise<void> {
  const type = findResourceType('', 'v1', 'serviceaccounts');
  if (type === undefined) throw new Error('the resource type serviceaccounts is missing');
  if (SYSTEM_NAMESPACES.includes(namespace)) {
    await options.announce(NAMESPACES, await ensureNamespace(options, namespace));
  }
  const metadata = { name: DEFAULT_ACCOUNT, namespace };
  const account = { apiVersion: 'v1', kind: type.kind, metadata };
  // Inside the change, so the store commits soon after this read, or not at all. The deletion of a namespace relies on it.
  const mayCreate = async () => {
    const found = await readNamespace(options.store, namespace);
    return found !== undefined && metadataOf(found.body).deletionTimestamp === undefined;
  };
  await options.announce(SERVICE_ACCOUNTS, await ensureObject(options, type, account, mayCreate));
}
