import type { ReconcileMessage } from '../../coordination/index.ts';
import { type KnownResources, readKnown, withDeadline } from '../../coordination/index.ts';
import { type ReconcileOptions, reconcileLabels, reconcileSubscription } from '../../delivery/index.ts';
import type { DefinitionStatuses } from '../../server/index.ts';
import { collect } from '../collect/index.ts';
import { reconcileDefinition } from './reconcile-definition.ts';
import { reconcileNamespace } from './reconcile-namespace.ts';
import { tick } from './tick.ts';

export interface ReconcilerOptions extends ReconcileOptions, KnownResources {
  readonly definitions: DefinitionStatuses;
  /** For how long one message deletes objects of a namespace or definition, in ms; by default `TIMING.emptying`. */
  readonly emptying?: number | undefined;
}

/** `signal` is the end of the invocation's time. */
export interface Reconciler {
  reconcile(message: ReconcileMessage, signal?: AbortSignal): Promise<void>;
  /** The schedule's minute. `all`: look after every subscription, its queue may be gone. */
  tick(options?: { readonly all?: boolean; readonly signal?: AbortSignal }): Promise<void>;
}

export function createReconciler(given: ReconcilerOptions): Reconciler {
  return {
    async reconcile(message, signal) {
      const options = await knowing(withDeadline(given, signal), message);
      switch (message.kind) {
        case 'subscription':
          return reconcileSubscription(options, message);
        case 'tally':
          return (await import('../../delivery/reconcile/reconcile-tally.ts')).reconcileTally(
            options,
            message,
          );
        case 'namespace':
          return reconcileNamespace({ ...options, collections: options.namespacedCollections }, message);
        case 'labels':
          return reconcileLabels(options, message);
        case 'definition':
          return reconcileDefinition(options, message);
        case 'collect':
          return collect(options, message);
        default:
          return message satisfies never;
      }
    },
    tick: ({ all = false, signal } = {}) => tick({ ...withDeadline(given, signal), all }),
  };
}

/** A subscription to what is built in needs nobody to look what else there is. */
async function knowing(options: ReconcilerOptions, message: ReconcileMessage): Promise<ReconcilerOptions> {
  const isOfOne = message.kind === 'subscription' || message.kind === 'tally';
  const isKnown = isOfOne && options.resources.of(message.collection) !== undefined;
  return isKnown || message.kind === 'definition' ? options : readKnown(options);
}
