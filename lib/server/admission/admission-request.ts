import type { Subscribing } from '../../delivery/index.ts';
import type { JsonObject } from '../../json/index.ts';
import type { Random, ServiceRange } from '../../platform/index.ts';
import type { ObjectState, Store } from '../../store/index.ts';
import type { AdmittedWrite } from './admission-inputs.ts';

/** What is to be written, and where. */
export interface AdmissionRequest extends AdmittedWrite {
  readonly store: Store;
  readonly random: Random;
  readonly namespace: string;
  readonly dryRun: boolean;
  /** Where addresses of Services are; where they are by default, unless it is said. */
  readonly serviceRange?: ServiceRange | undefined;
  /** What Subscriptions and Tallies may take; anything, unless it is said. */
  readonly subscribing?: Subscribing | undefined;
  /** Reads those who have a say; the store's own where it is absent. */
  readonly snapshot?: Store['snapshot'];
  /** In ms since the epoch. */
  readonly now: number;
}

/** What other objects have to say of one write. */
export interface Admission {
  /**
   * A new object with what it takes from classes and limits. Before it is validated.
   * @throws ApiError 403
   */
  complete(sent: JsonObject): JsonObject;
  /**
   * Refuses what is beyond limits. After it was validated.
   * @throws ApiError 403
   */
  refuse(body: JsonObject): void;
  /**
   * What a write takes of quotas, counted anew, and what it has for itself alone; within the change, whose mutation
   * says so.
   * @throws ApiError 403 it is more than there is; 422 another one has it
   */
  charge(body: JsonObject, old?: ObjectState): Promise<Charge>;
}

export interface Charge {
  /** The object with what it was given; absent where that is nothing. */
  readonly body?: JsonObject;
  /** What it has for itself alone; absent where it keeps what it has. */
  readonly reserves?: readonly string[];
  /** The turn that the write has to take; absent where it takes nothing of a quota. */
  readonly turn?: number;
  /** What the quotas have given with it. */
  readonly given: readonly Given[];
}

/** How much of a quota is used with a write, by resource. */
export interface Given {
  readonly quota: ObjectState;
  readonly used: Readonly<Record<string, string>>;
}

/** Whose objects have a say in a write, as far as they are in its namespace or in none. */
export interface AdmissionInputs {
  readonly limits: readonly ObjectState[];
  readonly quotas: readonly ObjectState[];
  readonly priorities: readonly ObjectState[];
  readonly runtimes: readonly ObjectState[];
  readonly storages: readonly ObjectState[];
  readonly ingresses: readonly ObjectState[];
}
