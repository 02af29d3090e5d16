import { NAMESPACES } from '../kubernetes/lifecycle/index.ts';
import type { Clock } from '../platform/index.ts';
import type { Store } from '../store/index.ts';

/** The time limit in ms. Clients give a health check a few seconds, kubelets one. */
const WITHIN = 2_000;

/**
 * Reads a row of the table. Rejects if the table does not respond in time, or if this release does not support its
 * schema version.
 */
export async function reachTable(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  signal: AbortSignal,
): Promise<void> {
  const bounded = AbortSignal.any([signal, clock.deadline(WITHIN)]);
  await store.within(bounded).get(NAMESPACES, { namespace: '', name: 'default' });
}
