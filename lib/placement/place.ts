import { findNodes } from './find-nodes.ts';
import { NO_NODES } from './message.ts';
import type { Pod } from './objects.ts';
import type { FeasibleNode, Placement, RefusedNode } from './placement.ts';
import { rankNodes } from './rank-nodes.ts';
import { AskedPod } from './rules/index.ts';
import type { World } from './world/index.ts';

/**
 * Places a pod as kube-scheduler 1.33.2 does with its default profile and all nodes. The result has the feasible nodes
 * in their order, and the reasons why the other nodes are refused. The same pod and world give the same result. The
 * world does not change: report a bound pod with `world.set` and its `spec.nodeName`.
 *
 * @throws SelectorError the pod has an invalid selector, which kube-apiserver would not store
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
