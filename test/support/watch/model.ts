import { everything } from '../../../lib/selectors/index.ts';
import { nameKey, type ObjectState } from '../../../lib/store/index.ts';
import { PODS, type WatchWorld } from './watch-world.ts';

/** What a consumer has to know in the end: `<namespace>/<name>@<resourceVersion>` of the pods that match, sorted. */
export async function matchingPods(
  { store }: WatchWorld,
  matches: (pod: ObjectState) => boolean,
): Promise<string[]> {
  const { items } = await store.list(PODS, { selector: everything });
  return items
    .filter(matches)
    .map((pod) => `${nameKey(pod.name)}@${pod.rv}`)
    .sort();
}
