import type { Following, ReconcileMessage } from '../../coordination/index.ts';
import { type KnownResources, readKnown, withDeadline } from '../../coordination/index.ts';
import { type ReconcileOptions, reconcileLabels, reconcileSubscription } from '../../delivery/index.ts';
import type { DefinitionStatuses } from '../../server/index.ts';
import { collect } from '../collect/index.ts';
import { reconcileDefinition } from './reconcile-definition.ts';
import { reconcileNamespace } from './reconcile-namespace.ts';
import { tick } from './tick.ts';

export interface ReconcilerOptions extends ReconcileOptions, KnownResources, Following {
  readonly definitions: DefinitionStatuses;
  /** How long one message deletes objects of a namespace or definition, in ms; by default `TIMING.emptying`. */
  readonly emptying?: number | undefined;
}

/** Handles reconcile messages and the tick. `signal` aborts at the end of the invocation's time. */
export interface Reconciler {
  reconcile(message: ReconcileMessage, signal?: AbortSignal): Promise<void>;
  /**
   * Runs the tick of the minute. `all`: reconcile every subscription, because its queue may be gone. Returns when a tick
   * has something to do again, in ms since the epoch, if nothing is written before.
   */
  tick(options?: { readonly all?: boolean; readonly signal?: AbortSignal }): Promise<number>;
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

/**
 * Adds the custom resource types to the options, if the message may need them. A Subscription or a Tally of a built-in
 * collection needs none, and no definition is read.
 */
async function knowing(options: ReconcilerOptions, message: ReconcileMessage): Promise<ReconcilerOptions> {
  const isOfOne = message.kind === 'subscription' || message.kind === 'tally';
  const isKnown = isOfOne && options.resources.of(message.collection) !== undefined;
  return isKnown || message.kind === 'definition' ? options : readKnown(options);
}
