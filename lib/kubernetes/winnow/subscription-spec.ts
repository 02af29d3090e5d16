import type { Collection, JsonObject } from '../../json/index.ts';
import type { FieldSelector, Selector } from '../../selectors/index.ts';
import type { NamespacesSpec } from './read-namespaces.ts';
import type { QueueSpec } from './read-queue.ts';

export const PAYLOADS = ['Object', 'Metadata', 'Reference'] as const;

/** A resource type that Subscriptions can select. */
export interface TargetResource {
  readonly collection: Collection;
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** The selectable fields, including `metadata.name` and `metadata.namespace`. */
  readonly fields: readonly string[];
  readField(body: JsonObject, field: string): string | undefined;
}

/** The parsed spec of a Subscription. */
export interface SubscriptionSpec extends QueueSpec, NamespacesSpec {
  readonly target: TargetResource;
  readonly selector: Selector;
  readonly fieldSelector: FieldSelector;
  /** A number means: the changes after this resourceVersion. */
  readonly start: 'now' | 'snapshot' | number;
  readonly payload: (typeof PAYLOADS)[number];
  /** Whether order is kept only per object, not across objects. */
  readonly byObject: boolean;
  /** Whether delivery is suspended. */
  readonly suspended: boolean;
  /** The ARNs of principals that may receive, besides those that their own account allows. */
  readonly consumers: readonly string[];
  /** Whether each message carries data that proves that no message is missing, and which objects the set contains. */
  readonly verified: boolean;
}
