import type { Collection, JsonObject } from '../../json/index.ts';
import type { FieldSelector, Selector } from '../../selectors/index.ts';
import type { NamespacesSpec } from './read-namespaces.ts';
import type { QueueSpec } from './read-queue.ts';

export const PAYLOADS = ['Object', 'Metadata', 'Reference'] as const;

/** A resource type that can be subscribed to. */
export interface TargetResource {
  readonly collection: Collection;
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** The selectable fields, `metadata.name` and `metadata.namespace` included. */
  readonly fields: readonly string[];
  readField(body: JsonObject, field: string): string | undefined;
}

/** A Subscription's spec, understood. */
export interface SubscriptionSpec extends QueueSpec, NamespacesSpec {
  readonly target: TargetResource;
  readonly selector: Selector;
  readonly fieldSelector: FieldSelector;
  /** A number: with what changed after this resourceVersion. */
  readonly start: 'now' | 'snapshot' | number;
  readonly payload: (typeof PAYLOADS)[number];
  /** The order is kept of each object, not of all of them together. */
  readonly byObject: boolean;
  /** Nothing is sent. */
  readonly suspended: boolean;
  /** The ARNs of principals that may receive, besides those that their own account allows. */
  readonly consumers: readonly string[];
  /** Each message says what proves that none is missing, and what the set is. */
  readonly verified: boolean;
}
