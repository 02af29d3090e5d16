import { isDeepStrictEqual } from 'node:util';
import { World, type WorldKinds } from '../../../lib/placement/index.ts';
import type { Chance } from './chance.ts';
import type { Cluster } from './clusters.ts';
import { objectsOf } from './our-answer.ts';

/**
 * Builds the world of a cluster that was another cluster before: its objects are created, changed and deleted in any
 * order.
 */
export function worldAfter(before: Cluster, cluster: Cluster, chance: Chance): World {
  const world = new World(cluster.profile);
  for (const [kind, object] of chance.shuffled(objectsOf(before))) world.set(kind, object);
  const wanted = objectsOf(cluster);
  const isWanted = (kind: string, object: WorldKinds[keyof WorldKinds]) =>
    wanted.some(([other, same]) => other === kind && isDeepStrictEqual(nameOf(same), nameOf(object)));
  const gone = objectsOf(before).filter(([kind, object]) => !isWanted(kind, object));
  const changes = [
    // Of two Services with one name the last counts, wherever it is among the others.
    ...lastOfEach(wanted).map(
      ([kind, object]) =>
        () =>
          world.set(kind, object),
    ),
    ...gone.map(
      ([kind, object]) =>
        () =>
          world.delete(kind, nameOf(object)),
    ),
  ];
  for (const change of chance.shuffled(changes)) change();
  return world;
}

function nameOf({ metadata }: WorldKinds[keyof WorldKinds]): { namespace: string; name: string } {
  return { namespace: metadata?.namespace ?? '', name: metadata?.name ?? '' };
}

function lastOfEach(objects: ReturnType<typeof objectsOf>): ReturnType<typeof objectsOf> {
  const last = new Map(objects.map((one) => [JSON.stringify([one[0], nameOf(one[1])]), one]));
  return [...last.values()];
}
