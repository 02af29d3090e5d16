import { timestamp } from '../../coordination/index.ts';
import { type Collection, type JsonObject, type JsonValue, metadataOf, objectAt } from '../../json/index.ts';
import { expiryOf, NAMESPACES } from '../../kubernetes/lifecycle/index.ts';
import type { Clock } from '../../platform/index.ts';
import { FOREGROUND_FINALIZER, type Mutation, ORPHAN_FINALIZER } from '../../store/index.ts';

export interface RemovalOptions {
  readonly collection: Collection;
  readonly clock: Clock;
  /** Whether it goes only after its own dependents, unless it is to leave them behind. */
  readonly foreground?: boolean;
}

/** Deletes an object, or marks it for deletion where finalizers hold it; nothing where it is marked already. */
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

/** The object without one of its finalizers, deleted where that was the last thing to hold it. */
export function releaseOf(body: JsonObject, finalizer: string, collection: Collection): Mutation {
  const { finalizers: _finalizers, ...metadata } = metadataOf(body);
  const left = finalizersOf(body).filter((name) => name !== finalizer);
  const released = { ...body, metadata: left.length === 0 ? metadata : { ...metadata, finalizers: left } };
  const stays = isHeld(collection, released) || hasGrace(released);
  return { kind: stays ? 'put' : 'delete', body: released };
}

/** A marked object whose time to stop is over. */
export function withoutGrace(body: JsonObject, collection: Collection): Mutation {
  if (!hasGrace(body)) return { kind: 'none' };
  const over = { ...body, metadata: { ...metadataOf(body), deletionGracePeriodSeconds: 0 } };
  return { kind: isHeld(collection, over) ? 'put' : 'delete', body: over };
}

/** Whether somebody was given time to stop what a marked object stands for. */
function hasGrace(body: JsonObject): boolean {
  return Number(metadataOf(body).deletionGracePeriodSeconds) > 0;
}

/** Whether something other than time keeps a marked object from going. */
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
