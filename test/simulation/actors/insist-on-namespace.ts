import { TIMING } from '../../../lib/platform/index.ts';
import type { Mutation, ObjectState } from '../../../lib/store/index.ts';
import type { Cluster } from './cluster.ts';
import { NAMESPACES } from './targets.ts';

const RETRY = 1_000;

/** Changes a namespace, and tries until it is answered: a repeated change has to change nothing. */
export async function insistOnNamespace(
  { write, world }: Cluster,
  name: string,
  change: (current: ObjectState | undefined) => Mutation,
): Promise<void> {
  for (;;) {
    const ended = await write.invoke(TIMING.gateway, async ({ store, hints, clock }) => {
      const outcome = await store
        .within(clock.deadline(TIMING.request))
        .write(NAMESPACES, { namespace: '', name }, change);
      if (outcome.kind !== 'none') await hints.announce(NAMESPACES, outcome.after?.rv ?? 0);
    });
    if (ended.how === 'done') return;
    await world.scheduler.sleep(RETRY);
  }
}
