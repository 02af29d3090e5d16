export type { Delivery } from './delivery.ts';
export {
  type HttpSubscription,
  type HttpSubscriptionOptions,
  httpSubscription,
  readSelection,
  type Selection,
  type SubscriptionSpec,
} from './http/index.ts';
export type { Listing } from './kept-set.ts';
export { type KubernetesObject, keyOf, type NamedObject, type ObjectMeta } from './kubernetes-object.ts';
export type { SqsBatchResponse, SqsEvent, SqsRecord } from './lambda-event.ts';
export type { Events } from './listeners.ts';
export { createMemoryStore } from './memory-store.ts';
export { UnreadableMessageError } from './message.ts';
export type { Position } from './position.ts';
export { digestOf, UnprovenError } from './proof.ts';
export { type Queue, QueueGoneError, type Received } from './queue.ts';
export { Replica, type ReplicaOptions } from './replica.ts';
export type { SqsClient } from './sqs-queue.ts';
export type { Entry, ReplicaStore } from './store.ts';
export type { Version } from './version.ts';
