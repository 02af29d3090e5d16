import { timestamp } from '../../coordination/index.ts';
import { type Collection, type JsonObject, type JsonValue, metadataOf, objectAt } from '../../json/index.ts';
import { expiryOf, NAMESPACES } from '../../kubernetes/lifecycle/index.ts';
import type { Clock } from '../../platform/index.ts';
import { FOREGROUND_FINALIZER, type Mutation, ORPHAN_FINALIZER } from '../../store/index.ts';

export interface RemovalOptions {
  readonly collection: Collection;
  readonly clock: Clock;
  /** Whether the object's dependents are deleted before it, unless it orphans them. */
  readonly foreground?: boolean;
}

/** Deletes an object, or marks it if finalizers hold it. Does nothing if a held object is marked already. */
export function removalOf(body: JsonObject, options: RemovalOptions): Mutation {
  const metadata = metadataOf(body);
  if (metadata.deletionTimestamp !== undefined) {
    return isHeld(options.collection, body) ? { kind: 'none' } : { kind: 'delete', body };
  }
  const held = finalizersOf(body);
  const finalizers =
    options.foreground === true && !held.includes(ORPHAN_FINALIZER) ? [...held, FOREGROUND_FINALIZER] : held;
  const wanted = finalizers.length === 0 ? body : { ...body, metadata: { ...metadata, finalizers } };
  if (!isHeld(options.collection, wanted)) return { kind: 'delete', body };
  const leaving = marked(wanted, options);
  const expires = expiryOf(options.collection, leaving);
  return { kind: 'put', body: leaving, ...(expires === undefined ? {} : { expires }) };
}

/** Removes a finalizer from an object, and deletes the object if nothing else holds it. */
export function releaseOf(body: JsonObject, finalizer: string, collection: Collection): Mutation {
  const { finalizers: _finalizers, ...metadata } = metadataOf(body);
  const left = finalizersOf(body).filter((name) => name !== finalizer);
  const released = { ...body, metadata: left.length === 0 ? metadata : { ...metadata, finalizers: left } };
  const stays = isHeld(collection, released) || hasGrace(released);
  return { kind: stays ? 'put' : 'delete', body: released };
}

/** Ends the grace period of a marked object, and deletes the object if nothing else holds it. */
export function withoutGrace(body: JsonObject, collection: Collection): Mutation {
  if (!hasGrace(body)) return { kind: 'none' };
  const over = { ...body, metadata: { ...metadataOf(body), deletionGracePeriodSeconds: 0 } };
  return { kind: isHeld(collection, over) ? 'put' : 'delete', body: over };
}

/** Whether a marked object has a grace period. */
function hasGrace(body: JsonObject): boolean {
  return Number(metadataOf(body).deletionGracePeriodSeconds) > 0;
}

/** Whether finalizers, or the content of a namespace, hold a marked object. */
function isHeld(collection: Collection, body: JsonObject): boolean {
  const { finalizers } = objectAt(body.spec);
  const hasContent = collection === NAMESPACES && Array.isArray(finalizers) && finalizers.length > 0;
  return hasContent || finalizersOf(body).length > 0;
}

function finalizersOf(body: JsonObject): JsonValue[] {
  const { finalizers } = metadataOf(body);
  return Array.isArray(finalizers) ? finalizers : [];
}

function marked(body: JsonObject, { collection, clock }: RemovalOptions): JsonObject {
  const { generation, ...metadata } = metadataOf(body);
  const deletionTimestamp = timestamp(clock.now());
  const going: JsonObject = { ...metadata, deletionTimestamp, deletionGracePeriodSeconds: 0 };
  if (generation !== undefined) going.generation = Number(generation) + 1;
  if (collection !== NAMESPACES) return { ...body, metadata: going };
  return { ...body, metadata: going, status: { ...objectAt(body.status), phase: 'Terminating' } };
}
