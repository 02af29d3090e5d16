import { type Placement, type Pod, place, type World } from '../../placement/index.ts';

export interface Assignment extends Placement {
  /** The node of each pod that was placed. */
  readonly assigned: readonly string[];
  /** Why the next pod has no node, in kube-scheduler's words; empty if all pods have one. */
  readonly message: string;
}

/**
 * Places `count` pods one after the other, each on its best node. Each placed pod counts for the next ones. The
 * returned nodes are those for the first pod. The world is unchanged afterwards.
 */
export function placeEach(pod: Pod, count: number, world: World): Assignment {
  const first = place(pod, world);
  const assigned: string[] = [];
  let next = first;
  try {
    for (;;) {
      const { best } = next;
      if (best === undefined) break;
      world.set('Pod', bound(pod, assigned.length, best.node));
      assigned.push(best.node);
      if (assigned.length === count) break;
      next = place(numbered(pod, assigned.length), world);
    }
  } finally {
    for (const number of assigned.keys()) world.delete('Pod', nameOf(pod, number));
  }
  return { ...first, assigned, message: assigned.length === count ? '' : next.message };
}

function bound(pod: Pod, number: number, nodeName: string): Pod {
  const one = numbered(pod, number);
  return { ...one, spec: { ...one.spec, nodeName } };
}

function numbered(pod: Pod, number: number): Pod {
  return { ...pod, metadata: { ...pod.metadata, ...nameOf(pod, number), uid: '' } };
}

/** A name that no pod in the world can have. */
function nameOf({ metadata }: Pod, number: number) {
  const { name = '', namespace = '' } = metadata ?? {};
  return { name: `${name}#${number}`, namespace };
}
