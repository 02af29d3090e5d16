import type { Mutation, ObjectState } from '../../../lib/store/index.ts';
import type { Cluster } from './cluster.ts';
import { insistOnObject } from './insist-on-object.ts';
import { NAMESPACES } from './targets.ts';

/** Changes a namespace, and retries until it is answered. A repeated change has to change nothing. */
export function insistOnNamespace(
  cluster: Cluster,
  name: string,
  change: (current: ObjectState | undefined) => Mutation,
): Promise<void> {
  return insistOnObject(cluster, { collection: NAMESPACES, name: { namespace: '', name } }, change);
}
