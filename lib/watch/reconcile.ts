import type { Collection } from '../store/index.ts';
import type { ReconcileMessage } from './messages.ts';
import { reconcileNamespace } from './reconcile-namespace.ts';
import { type ReconcileOptions, reconcileSubscription } from './reconcile-subscription.ts';
import { tick } from './tick.ts';

export interface ReconcilerOptions extends ReconcileOptions {
  /** Every collection, and those whose objects live in namespaces. */
  readonly collections: readonly Collection[];
  readonly namespacedCollections: readonly Collection[];
}

export interface Reconciler {
  reconcile(message: ReconcileMessage): Promise<void>;
  /** The schedule's minute. `all`: look after every subscription, its queue may be gone. */
  tick(options?: { readonly all?: boolean }): Promise<void>;
}

export function createReconciler(options: ReconcilerOptions): Reconciler {
  return {
    reconcile: (message) =>
      message.kind === 'subscription'
        ? reconcileSubscription(options, message)
        : reconcileNamespace({ ...options, collections: options.namespacedCollections }, message.name),
    tick: ({ all = false } = {}) => tick({ ...options, all }),
  };
}
