import { ruleErrors, SELECTOR_FIELDS, type Subscribing, selectorsSize } from '../../../delivery/index.ts';
import { collectionOf, type JsonObject, metadataOf, objectAt } from '../../../json/index.ts';
import { TALLIES } from '../../../kubernetes/lifecycle/index.ts';
import { collectionOfType } from '../../../kubernetes/resource-types/index.ts';
import type { SubscribingLimits } from '../../../platform/index.ts';
import type { FieldError } from '../../../selectors/index.ts';
import { forbidden, invalid } from '../../status/index.ts';
import type { AdmissionRequest } from '../admission-request.ts';
import { type NamespaceUse, NamespaceUses } from './namespace-uses.ts';

export interface ChargeSubscribingRequest extends Pick<AdmissionRequest, 'type' | 'store' | 'namespace'> {
  readonly subscribing: Subscribing;
  readonly body: JsonObject;
  readonly old?: JsonObject | undefined;
}

/** What this process knows of the use of namespaces. */
const USES = new WeakMap<Subscribing, NamespaceUses>();

/** The most concurrent writes in a namespace for which its limits are exact while it is far from them. */
const AT_ONCE = 32;

/**
 * Refuses a Subscription or a Tally that breaks a rule or exceeds a limit of its namespace or collection. Near a limit
 * of the namespace, it returns the namespace's quota version, on which the write's transaction then depends. If two
 * concurrent writes would exceed the limit together, the transaction of the later one fails, and its check runs again.
 *
 * Returns undefined if {@link AT_ONCE} more writes, beside those not seen yet, would not reach a limit, or if the write
 * uses no more than before. So clients that create many at once do not fail because of each other.
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
  const { limits } = rules;
  const isTally = collection === TALLIES;
  const most = isTally ? limits.talliesPerNamespace : limits.subscriptionsPerNamespace;
  const { group = '', resource } = objectAt(spec.resource);
  const target = collectionOf(String(group), String(resource));
  const place = { collection, namespace };
  const uses = usesOf(subscribing);
  const [use, selected] = await Promise.all([uses.of(store, place), subscribing.selectedBytes(target)]);
  let turn: number | undefined;
  let others = takenByOthers(use, name);
  const listed = async () => takenByOthers(await uses.listed(store, place), name);
  const unseenToo = { most, limits, atOnce: AT_ONCE + use.unseen };
  if (use.unseen > 0 && !isFar(others, unseenToo)) others = await listed();
  if (!isFar(others, { most, limits, atOnce: AT_ONCE })) {
    turn = await store.turn(collection, namespace);
    others = await listed();
  }
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
  const ofAll = limits.selectorBytesPerCollection;
  const taken = Math.max(0, selected - before);
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

function usesOf(subscribing: Subscribing): NamespaceUses {
  const uses = USES.get(subscribing) ?? new NamespaceUses();
  USES.set(subscribing, uses);
  return uses;
}

interface Taken {
  readonly count: number;
  readonly bytes: number;
}

interface Limit {
  readonly most: number;
  readonly limits: SubscribingLimits;
  readonly atOnce: number;
}

/** Whether `atOnce` more objects with the longest selectors would not reach a limit of their namespace. */
function isFar({ count, bytes }: Taken, { most, limits, atOnce }: Limit): boolean {
  const longest = SELECTOR_FIELDS.length * limits.selectorBytes;
  return count + atOnce <= most && bytes + atOnce * longest <= limits.selectorBytesPerNamespace;
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

/** The number of the other objects, and the size of their selectors. */
function takenByOthers({ sizes }: NamespaceUse, name: string): Taken {
  let [count, bytes] = [0, 0];
  for (const [other, size] of sizes) {
    if (other === name) continue;
    count += 1;
    bytes += size;
  }
  return { count, bytes };
}
