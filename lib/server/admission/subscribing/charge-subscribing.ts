import { ruleErrors, type Subscribing, selectorsSize } from '../../../delivery/index.ts';
import { collectionOf, type JsonObject, metadataOf, objectAt } from '../../../json/index.ts';
import { TALLIES } from '../../../kubernetes/lifecycle/index.ts';
import { collectionOfType } from '../../../kubernetes/resource-types/index.ts';
import { MEMORY } from '../../../platform/index.ts';
import type { FieldError } from '../../../selectors/index.ts';
import { everything } from '../../../selectors/index.ts';
import { eachPage, type ObjectState } from '../../../store/index.ts';
import { forbidden, invalid } from '../../status/index.ts';
import type { AdmissionRequest } from '../admission-request.ts';

export interface ChargeSubscribingRequest extends Pick<AdmissionRequest, 'type' | 'store' | 'namespace'> {
  readonly subscribing: Subscribing;
  readonly body: JsonObject;
  readonly old?: JsonObject | undefined;
}

/**
 * Refuses a Subscription or a Tally that breaks a rule or exceeds a limit of its namespace or collection. Returns the
 * namespace's quota version, on which the write's transaction depends; undefined if the write uses no more than before.
 * If two concurrent writes would exceed the limit together, the transaction of the later one fails, and its check runs
 * again.
 *
 * @throws ApiError 422 a rule or a limit in bytes; 403 the namespace has reached its limit
 */
export async function chargeSubscribing(request: ChargeSubscribingRequest): Promise<number | undefined> {
  const { type, store, namespace, subscribing, body, old } = request;
  const { rules } = subscribing;
  const name = String(metadataOf(body).name ?? '');
  refuse(ruleErrors(body, old, rules));
  const spec = objectAt(body.spec);
  const bytes = selectorsSize(spec);
  const before = old === undefined ? 0 : selectorsSize(objectAt(old.spec));
  if (old !== undefined && bytes <= before) return undefined;

  const collection = collectionOfType(type);
  const turn = await store.turn(collection, namespace);
  const others = await takenByOthers(request, name);
  const { limits } = rules;
  const isTally = collection === TALLIES;
  const most = isTally ? limits.talliesPerNamespace : limits.subscriptionsPerNamespace;
  if (old === undefined && others.count >= most) {
    const setting = isTally ? 'talliesPerNamespace' : 'subscriptionsPerNamespace';
    const why = `namespace ${namespace} has ${others.count} ${type.resource}, the limit is ${most} (setting ${setting})`;
    throw forbidden(type, name, why);
  }
  const inNamespace = limits.selectorBytesPerNamespace;
  refuse(
    tooMuch(
      { bytes, taken: others.bytes, most: inNamespace },
      `the limit for the selectors of all ${type.resource} of namespace ${namespace} is ${inNamespace} bytes (setting selectorBytesPerNamespace)`,
    ),
  );
  const { group = '', resource } = objectAt(spec.resource);
  const target = collectionOf(String(group), String(resource));
  const ofAll = limits.selectorBytesPerCollection;
  const taken = Math.max(0, (await subscribing.selectedBytes(target)) - before);
  refuse(
    tooMuch(
      { bytes, taken, most: ofAll },
      `the limit for all selectors that select from ${target} is ${ofAll} bytes (setting selectorBytesPerCollection)`,
    ),
  );
  return turn;

  function refuse(errors: readonly FieldError[]): void {
    if (errors.length > 0) throw invalid(type, name, errors);
  }
}

interface Room {
  readonly bytes: number;
  readonly taken: number;
  readonly most: number;
}

function tooMuch({ bytes, taken, most }: Room, limit: string): FieldError[] {
  if (bytes === 0 || taken + bytes <= most) return [];
  const detail = `${limit}; the others already take ${taken} bytes`;
  return [{ type: 'Invalid', field: 'spec', value: `${bytes} bytes`, detail }];
}

/** The number of the other objects of the type in the namespace, and the size of their selectors. */
async function takenByOthers(
  { type, store, namespace }: ChargeSubscribingRequest,
  name: string,
): Promise<{ readonly count: number; readonly bytes: number }> {
  let [count, bytes] = [0, 0];
  const all = { namespace, selector: everything, mostHeap: MEMORY.page };
  for await (const { items } of eachPage(store, collectionOfType(type), all)) {
    for (const one of items.filter((item: ObjectState) => item.name.name !== name)) {
      count += 1;
      bytes += selectorsSize(objectAt(one.body.spec));
    }
  }
  return { count, bytes };
}
