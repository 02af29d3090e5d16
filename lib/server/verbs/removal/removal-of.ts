import { type JsonObject, jsonEquals, metadataOf, objectAt } from '../../../json/index.ts';
import type { ResourceType } from '../../../kubernetes/resource-types/index.ts';
import type { Mutation, ObjectState } from '../../../store/index.ts';
import { isGone, timestampAt, withExpiry, withNextGeneration } from '../../objects/index.ts';
import type { DeleteOptions } from './delete-options.ts';
import { deletionFinalizers } from './deletion-finalizers.ts';

interface GraceOptions {
  /** The grace period that the DELETE requests, in seconds; undefined: that of the pod's spec. */
  readonly asked: number | undefined;
  /** In ms since the epoch. */
  readonly now: number;
}

/** The time by which the kubelet must have stopped the pod. */
interface Grace extends JsonObject {
  readonly deletionTimestamp: string;
  readonly deletionGracePeriodSeconds: number;
}

export interface Removal {
  readonly wanted: DeleteOptions;
  /** In ms since the epoch. */
  readonly now: number;
}

/** The mutation of a DELETE: deletes the object at once, or marks it if something holds it. */
export function removalOf(type: ResourceType, { body }: ObjectState, removal: Removal): Mutation {
  if (isPods(type)) return podRemovalOf(type, body, removal);
  const held = withFinalizers(body, deletionFinalizers(type, body, removal.wanted));
  const isMarked = metadataOf(body).deletionTimestamp !== undefined;
  const marked = isMarked ? held : mark(type, held, timestampAt(removal.now));
  if (isGone(type, marked)) return { kind: 'delete', body };
  return jsonEquals(marked, body) ? { kind: 'none' } : withExpiry(type, marked, body);
}

/** The mutation for a pod, marked even if it is deleted at once. k8s.io/apiserver/pkg/registry/rest, BeforeDelete */
function podRemovalOf(type: ResourceType, body: JsonObject, { wanted, now }: Removal): Mutation {
  const left = graceLeft(body, { asked: wanted.grace, now });
  if (left === undefined) return { kind: 'none' };
  const isMarked = metadataOf(body).deletionTimestamp !== undefined;
  const held = isMarked
    ? body
    : withNextGeneration(withFinalizers(body, deletionFinalizers(type, body, wanted)));
  const marked = { ...held, metadata: { ...metadataOf(held), ...left } };
  return isGone(type, marked) ? { kind: 'delete', body: marked } : withExpiry(type, marked, body);
}

function withFinalizers(body: JsonObject, finalizers: string[]): JsonObject {
  const { finalizers: _finalizers, ...metadata } = metadataOf(body);
  return { ...body, metadata: finalizers.length === 0 ? metadata : { ...metadata, finalizers } };
}

function mark(type: ResourceType, body: JsonObject, now: string): JsonObject {
  const metadata = { ...metadataOf(body), deletionTimestamp: now };
  const marked = withNextGeneration({ ...body, metadata });
  if (!isNamespaces(type)) {
    return { ...marked, metadata: { ...metadataOf(marked), deletionGracePeriodSeconds: 0 } };
  }
  const status = objectAt(body.status);
  return { ...marked, status: { ...status, phase: 'Terminating' } };
}

function isPods({ group, resource }: ResourceType): boolean {
  return group === '' && resource === 'pods';
}

export function isNamespaces({ group, resource }: ResourceType): boolean {
  return group === '' && resource === 'namespaces';
}

/**
 * The grace period of a deleted pod: 0 if the pod has no node or has ended. A later DELETE of a terminating pod can
 * only shorten the period; returns undefined if it does not.
 * k8s.io/apiserver/pkg/registry/rest, BeforeDelete; k8s.io/kubernetes/pkg/registry/core/pod, CheckGracefulDelete
 */
function graceLeft(pod: JsonObject, { asked, now }: GraceOptions): Grace | undefined {
  const { deletionTimestamp, deletionGracePeriodSeconds: given } = metadataOf(pod);
  if (deletionTimestamp === undefined || given === undefined) return graceUntil(now, graceOf(pod, asked));
  if (asked === undefined || asked >= Number(given)) return undefined;
  return graceUntil(Date.parse(String(deletionTimestamp)) - Number(given) * 1000, asked);
}

function graceUntil(from: number, seconds: number): Grace {
  return { deletionTimestamp: timestampAt(from + seconds * 1000), deletionGracePeriodSeconds: seconds };
}

function graceOf({ spec, status }: JsonObject, asked: number | undefined): number {
  const { nodeName = '', terminationGracePeriodSeconds = 0 } = objectAt(spec);
  const { phase = '' } = objectAt(status);
  if (nodeName === '' || phase === 'Failed' || phase === 'Succeeded') return 0;
  const seconds = asked ?? Number(terminationGracePeriodSeconds);
  return seconds < 0 ? 1 : seconds;
}
