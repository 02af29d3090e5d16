import { SCALE, scaleOf } from '../../kubernetes/resource-types/index.ts';
import { toObject } from '../../store/index.ts';
import { type Answer, type Call, collectionOfCall, objectNameOf } from '../http/index.ts';
import { presenterOf } from '../show/index.ts';
import { notFound } from '../status/index.ts';

/** GET of `/scale`, also as a Table with the columns of a Scale. */
export async function getScale(call: Call): Promise<Answer> {
  const { options, route } = call;
  const present = await presenterOf({ ...call, route: { ...route, type: SCALE } });
  const state = await options.store.get(collectionOfCall(call), objectNameOf(call));
  if (state === undefined) throw notFound(route.type, route.name);
  return { status: 200, value: present.object(scaleOf(route.type, toObject(state))) };
}
