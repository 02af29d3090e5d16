import { toObject } from '../../store/index.ts';
import { type Answer, type Call, collectionOfCall, objectNameOf, readVersion } from '../http/index.ts';
import { presenterOf } from '../show/index.ts';
import { notFound, versionAhead } from '../status/index.ts';

/** GET of one object, also of its `/status`. Returns the most recent state; `resourceVersion` is only a minimum. */
export async function getObject(call: Call): Promise<Answer> {
  const { options, request, route } = call;
  const present = await presenterOf(call);
  const atLeast = readVersion(request.query) ?? 0;
  const collection = collectionOfCall(call);
  const state = await options.store.get(collection, objectNameOf(call));
  if (atLeast > (state?.rv ?? 0)) await refuseAhead(call, atLeast);
  if (state === undefined) throw notFound(route.type, route.name);
  const object = toObject(state);
  return {
    status: 200,
    value: present.object((await options.complete?.(collection, object, call.signal)) ?? object),
  };
}

async function refuseAhead(call: Call, atLeast: number): Promise<void> {
  const head = await call.options.store.head(collectionOfCall(call));
  if (atLeast > head) throw versionAhead(`Too large resource version: ${atLeast}, current: ${head}`);
}
