import { type JsonObject, metadataOf } from '../../../json/index.ts';
import { collectionOfType } from '../../../kubernetes/resource-types/index.ts';
import { MEMORY } from '../../../platform/index.ts';
import { everything } from '../../../selectors/index.ts';
import { eachPage, type ObjectState } from '../../../store/index.ts';
import { forbidden } from '../../status/index.ts';
import type { AdmissionRequest, Charge, Given } from '../admission-request.ts';
import { type Amount, type Amounts, added, NOTHING, plus, printed, textOf } from '../amounts.ts';
import type { Evaluator } from './evaluator.ts';
import { evaluatorOf } from './evaluators.ts';
import { isCounted, type Quota, quotaOf } from './quota-of.ts';

export interface ChargeRequest extends Omit<AdmissionRequest, 'body'> {
  readonly quotas: readonly ObjectState[];
  readonly body: JsonObject;
  readonly old?: JsonObject | undefined;
}

/**
 * Returns the usage of a write in the quotas of its namespace.
 *
 * 1. It reads the namespace's quota version.
 * 2. It then counts the usage of all existing objects. No count is stored, so none can be wrong.
 * 3. The write replaces this quota version. If another write has replaced it first, `change` runs again. So two
 *    concurrent writes cannot exceed a quota together.
 *
 * @throws ApiError 403 in the words of k8s.io/apiserver/pkg/admission/plugin/resourcequota
 */
export async function chargeQuotas(request: ChargeRequest): Promise<Charge> {
  const { type, body, old, now } = request;
  const evaluator = evaluatorOf(type);
  const quotas = request.quotas
    .map((state) => quotaOf(state, evaluator))
    .filter((quota) => quota !== undefined)
    .filter((quota) => isCounted(quota, body, evaluator));
  const name = String(metadataOf(body).name ?? '');
  const refuse = (why: string): never => {
    throw forbidden(type, name, why);
  };
  for (const { state, hard } of quotas) {
    const missing = old === undefined ? evaluator.missing?.(body, [...hard.keys()]) : undefined;
    if (missing !== undefined) refuse(`failed quota: ${state.name.name}: ${missing}`);
  }
  const before = old === undefined ? NONE : evaluator.usage(old, now);
  const more = moreOf(evaluator.usage(body, now), before);
  const taking = quotas.filter(({ hard }) => [...hard.keys()].some((resource) => more.has(resource)));
  if (taking.length === 0) return { given: [] };

  const turn = await request.store.turn(collectionOfType(type), request.namespace);
  const others = await usedByOthers(request, { quotas: taking, evaluator, name });
  const given = taking.map((quota, at) => {
    const used = added(others[at] ?? NONE, before);
    const exceeded = exceededBy(quota, used, more);
    if (exceeded !== undefined) refuse(exceeded);
    return givenOf(quota, used, more);
  });
  return { turn, given };
}

const NONE: Amounts = new Map();

interface Counted {
  readonly quotas: readonly Quota[];
  readonly evaluator: Evaluator;
  /** The name of the object that is written. */
  readonly name: string;
}

/** The usage of the other objects in the namespace, for each quota. */
async function usedByOthers(
  { type, store, namespace, now }: ChargeRequest,
  { quotas, evaluator, name }: Counted,
): Promise<Amounts[]> {
  const used = quotas.map(() => NONE);
  const all = { namespace, selector: everything, mostHeap: MEMORY.page };
  for await (const { items } of eachPage(store, collectionOfType(type), all)) {
    for (const { name: own, body } of items) {
      if (own.name === name) continue;
      const takes = evaluator.usage(body, now);
      for (const [at, quota] of quotas.entries()) {
        if (isCounted(quota, body, evaluator)) used[at] = added(used[at] ?? NONE, takes);
      }
    }
  }
  return used;
}

/** The increase of each amount, by resource. Amounts that do not grow are left out. */
function moreOf(wanted: Amounts, before: Amounts): Amounts {
  const more = [...wanted].map(([name, { nanos, like }]) => {
    return [name, { nanos: nanos - (before.get(name)?.nanos ?? 0n), like }] as const;
  });
  return new Map(more.filter(([, { nanos }]) => nanos > 0n));
}

function exceededBy({ state, hard }: Quota, used: Amounts, more: Amounts): string | undefined {
  const names = [...hard].flatMap(([name, { nanos }]) => {
    const wanted = more.get(name);
    return wanted !== undefined && (used.get(name)?.nanos ?? 0n) + wanted.nanos > nanos ? [name] : [];
  });
  if (names.length === 0) return undefined;
  const only = (amounts: Amounts) =>
    printed(new Map(names.map((name) => [name, amounts.get(name) ?? NOTHING])));
  return `exceeded quota: ${state.name.name}, requested: ${only(more)}, used: ${only(used)}, limited: ${only(hard)}`;
}

function givenOf({ state, hard }: Quota, used: Amounts, more: Amounts): Given {
  const names = [...hard.keys()];
  const total = (name: string): Amount => plus(used.get(name) ?? NOTHING, more.get(name) ?? NOTHING);
  return { quota: state, used: Object.fromEntries(names.map((name) => [name, textOf(total(name))])) };
}
