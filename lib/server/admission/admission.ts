import type { Subscribing } from '../../delivery/index.ts';
import type { JsonObject } from '../../json/index.ts';
import { objectAt } from '../../json/index.ts';
import { SUBSCRIPTIONS, TALLIES } from '../../kubernetes/lifecycle/index.ts';
import { collectionOfType } from '../../kubernetes/resource-types/index.ts';
import type { Random, ServiceRange } from '../../platform/index.ts';
import type { ObjectState, Snapshots, Store } from '../../store/index.ts';
import { ADMISSION_INPUTS, type AdmittedWrite, rulersOf } from './admission-inputs.ts';

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

const NOTHING_TAKEN: Charge = { given: [] };
const FREE: Admission = {
  complete: (sent) => sent,
  refuse: () => {},
  charge: async () => NOTHING_TAKEN,
};

/**
 * What limits, quotas and classes have to say of a write, as they are now. It takes one request, and none where the
 * type is nobody's business; what they mean is loaded when there is one. A Subscription or a Tally also has the
 * deployment's own limits.
 */
export async function admissionOf(request: AdmissionRequest): Promise<Admission> {
  const admission = await ruledBy(request);
  const { subscribing, type } = request;
  if (subscribing === undefined || !SUBSCRIBING.has(collectionOfType(type))) return admission;
  return {
    ...admission,
    charge: async (body, old) => {
      const { chargeSubscribing } = await import('./subscribing/index.ts');
      const turn = await chargeSubscribing({ ...request, subscribing, body, old: old?.body });
      const charge = await admission.charge(body, old);
      // The turn that was read first: it holds for what both have counted.
      return turn === undefined ? charge : { ...charge, turn };
    },
  };
}

const SUBSCRIBING: ReadonlySet<string> = new Set([SUBSCRIPTIONS, TALLIES]);

async function ruledBy(request: AdmissionRequest): Promise<Admission> {
  const collections = rulersOf(request);
  if (collections.length === 0) return FREE;
  const { store, snapshot = (all) => store.snapshot(all) } = request;
  const rulers = rulersIn(await snapshot(collections), request.namespace);
  const { priorities, ...others } = rulers;
  const isRuled = [priorities.filter(isDefault), ...Object.values(others)].some(({ length }) => length > 0);
  if (!isRuled && !asksForMore(request)) return FREE;
  return (await import('./create-admission.ts')).createAdmission(request, rulers);
}

function rulersIn(snapshots: Snapshots, namespace: string): AdmissionInputs {
  const all = (name: keyof typeof ADMISSION_INPUTS) => snapshots.get(ADMISSION_INPUTS[name]) ?? [];
  const own = (name: keyof typeof ADMISSION_INPUTS) =>
    all(name).filter((one) => one.name.namespace === namespace);
  return {
    limits: own('limits'),
    quotas: own('quotas'),
    priorities: all('priorities'),
    runtimes: all('runtimes'),
    storages: all('storages'),
    ingresses: all('ingresses'),
  };
}

/** Classes that are not default have a say only where they are named. */
function isDefault({ body }: ObjectState): boolean {
  return body.globalDefault === true;
}

/** Whether a pod says itself what only classes say; a Service has addresses. */
function asksForMore({ type, body, exists, subresource }: AdmissionRequest): boolean {
  const collection = collectionOfType(type);
  if (collection === 'core/services') return subresource === '';
  if (exists || collection !== 'core/pods') return false;
  const { priorityClassName = '', priority, runtimeClassName = '', overhead } = objectAt(body.spec ?? {});
  return (
    priorityClassName !== '' || priority !== undefined || runtimeClassName !== '' || overhead !== undefined
  );
}
