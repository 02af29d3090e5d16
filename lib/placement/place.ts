import { findNodes } from './find-nodes.ts';
import { NO_NODES } from './message.ts';
import type { Pod } from './objects.ts';
import type { FeasibleNode, Placement, RefusedNode } from './placement.ts';
import { rankNodes } from './rank-nodes.ts';
import { AskedPod } from './rules/index.ts';
import type { World } from './world/index.ts';

/**
 * Where a pod may go, in which order, and why not elsewhere: as kube-scheduler 1.33.2 decides it with its default
 * profile, looking at every node. The same pod and world give the same answer. It changes nothing: `world.set` the pod
 * with its `spec.nodeName` once it is bound.
 * @throws SelectorError where the pod has a selector that is none, which kube-apiserver lets no pod have
 */
export function place(pod: Pod, world: World): Placement {
  if (world.nodes.present.length === 0) return nowhere([], NO_NODES);
  const asked = new AskedPod(pod, world);
  const { found, refused, message } = findNodes(asked, world);
  if (found.length === 0) return nowhere(refused, message);
  const { best, all } = rankNodes(found, asked, world);
  let feasible: readonly FeasibleNode[] | undefined;
  return {
    best,
    get feasible() {
      feasible ??= all();
      return feasible;
    },
    refused,
    message,
  };
}

function nowhere(refused: readonly RefusedNode[], message: string): Placement {
  return { best: undefined, feasible: [], refused, message };
}
