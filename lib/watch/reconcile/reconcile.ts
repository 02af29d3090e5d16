import type { Collection } from '../../store/index.ts';
import { collect } from '../collect/index.ts';
import type { ReconcileMessage } from '../internal-messages.ts';
import { within } from '../within.ts';
import { reconcileNamespace } from './reconcile-namespace.ts';
import { type ReconcileOptions, reconcileSubscription } from './reconcile-subscription.ts';
import { tick } from './tick.ts';

export interface ReconcilerOptions extends ReconcileOptions {
  /** Every collection, and those whose objects live in namespaces. */
  readonly collections: readonly Collection[];
  readonly namespacedCollections: readonly Collection[];
}

/** `signal` is the end of the invocation's time. */
export interface Reconciler {
  reconcile(message: ReconcileMessage, signal?: AbortSignal): Promise<void>;
  /** The schedule's minute. `all`: look after every subscription, its queue may be gone. */
  tick(options?: { readonly all?: boolean; readonly signal?: AbortSignal }): Promise<void>;
}

export function createReconciler(given: ReconcilerOptions): Reconciler {
  return {
    reconcile(message, signal) {
      const options = within(given, signal);
      switch (message.kind) {
        case 'subscription':
          return reconcileSubscription(options, message);
        case 'namespace':
          return reconcileNamespace({ ...options, collections: options.namespacedCollections }, message.name);
        case 'collect':
          return collect(options, message);
        default:
          return message satisfies never;
      }
    },
    tick: ({ all = false, signal } = {}) => tick({ ...within(given, signal), all }),
  };
}
