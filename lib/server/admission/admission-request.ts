import type { Subscribing } from '../../delivery/index.ts';
import type { JsonObject } from '../../json/index.ts';
import type { Random, ServiceRange } from '../../platform/index.ts';
import type { ObjectState, Store } from '../../store/index.ts';
import type { AccountOptions } from '../objects/index.ts';
import type { AdmittedWrite } from './admission-inputs.ts';

/** What the ServiceAccount admission needs to create an account. */
export type ServiceAccounts = Pick<AccountOptions, 'announce' | 'clock'>;

/** A write that admission decides on. */
export interface AdmissionRequest extends AdmittedWrite {
  readonly store: Store;
  readonly random: Random;
  readonly namespace: string;
  readonly dryRun: boolean;
  /** The range of Service addresses; the default range if absent. */
  readonly serviceRange?: ServiceRange | undefined;
  /** The deployment's limits for Subscriptions and Tallies; no limits if absent. */
  readonly subscribing?: Subscribing | undefined;
  /** The ServiceAccount admission; absent if pods have no service accounts. */
  readonly accounts?: ServiceAccounts | undefined;
  /** Reads the admission inputs; the store's own `snapshot` if absent. */
  readonly snapshot?: Store['snapshot'];
  /** In ms since the epoch. */
  readonly now: number;
}

/** The effects of LimitRanges, ResourceQuotas and classes on one write. */
export interface Admission {
  /**
   * Returns a new object with the defaults of classes and LimitRanges. Runs before validation.
   *
   * @throws ApiError 403
   */
  complete(sent: JsonObject): JsonObject;
  /**
   * Refuses an object that is beyond a limit. Runs after validation.
   *
   * @throws ApiError 403
   */
  refuse(body: JsonObject): void;
  /**
   * Returns the quota usage and the reservations of a write. Usage is counted again. Call it inside `change`, and put
   * the result into its mutation.
   *
   * @param decide has policies decide about the object with its allocated values, before its quotas are counted
   * @throws ApiError 403 the write exceeds a quota; 422 another object holds a requested value; whatever `decide` throws
   */
  charge(body: JsonObject, old: ObjectState | undefined, decide: Decide): Promise<Charge>;
}

/** Decides about an object that is to be stored. */
export type Decide = (body: JsonObject) => Promise<void>;

export interface Charge {
  /** The object with its allocated values; absent if nothing was allocated. */
  readonly body?: JsonObject;
  /** The complete list of the object's reservations; absent if they do not change. */
  readonly reserves?: readonly string[];
  /**
   * The namespace's quota version, as read before the count. The write's transaction fails if the version has changed
   * since; absent if the write uses no quota.
   */
  readonly turn?: number;
  /** The new usage of each quota that the write uses. */
  readonly given: readonly Given[];
}

/** The usage of a quota after a write, by resource. */
export interface Given {
  readonly quota: ObjectState;
  readonly used: Readonly<Record<string, string>>;
}

/** The objects that affect a write: those in its namespace, and those of cluster-scoped types. */
export interface AdmissionInputs {
  readonly limits: readonly ObjectState[];
  readonly quotas: readonly ObjectState[];
  readonly priorities: readonly ObjectState[];
  readonly runtimes: readonly ObjectState[];
  readonly storages: readonly ObjectState[];
  readonly ingresses: readonly ObjectState[];
}
