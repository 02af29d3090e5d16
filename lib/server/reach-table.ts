import { NAMESPACES } from '../kubernetes/lifecycle/index.ts';
import type { Clock } from '../platform/index.ts';
import type { Store } from '../store/index.ts';

/** Milliseconds for an answer: clients give a health check a few seconds, kubelets one. */
const WITHIN = 2_000;

/** Reads a row of the table. Rejects where the table does not answer in time, or is one that this version may not work on. */
export async function reachTable(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  signal: AbortSignal,
): Promise<void> {
  const bounded = AbortSignal.any([signal, clock.deadline(WITHIN)]);
  await store.within(bounded).get(NAMESPACES, { namespace: '', name: 'default' });
}
