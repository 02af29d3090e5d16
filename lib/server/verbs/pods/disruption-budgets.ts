import { isJsonObject, type JsonObject, metadataOf, objectAt } from '../../../json/index.ts';
import { findResourceType, type ResourceType } from '../../../kubernetes/resource-types/index.ts';
import { everything, fromLabelSelector, SelectorError } from '../../../selectors/index.ts';
import { eachPage, type Mutation, type ObjectState } from '../../../store/index.ts';
import {
  announceCommit,
  asServer,
  type Call,
  collectionOfCall,
  type ResourceRoute,
} from '../../http/index.ts';
import { spelledMutation, timestamp, trackFields, typedState } from '../../objects/index.ts';
import { ApiError, forbidden } from '../../status/index.ts';

const PAGE = 500;
/** The limit of evictions that the budget's controller has not seen yet. */
const MOST_DISRUPTED = 2000;
/** Seconds after which an eviction is worth another try. */
const LATER = 10;
/** The resource name in messages. */
const BUDGET = { group: 'policy', resource: 'poddisruptionbudget' };
/** The manager of the status in managedFields. */
const MANAGER = 'kube-apiserver';

/** The budgets that count a pod. A budget with an invalid selector counts no pods. */
export async function budgetsOf(call: Call, pod: ObjectState): Promise<ObjectState[]> {
  const { namespace } = pod.name;
  const asked = { namespace, selector: everything, limit: PAGE };
  const found: ObjectState[] = [];
  for await (const { items } of eachPage(
    asServer(call.options).store,
    collectionOfCall(ofBudgets(call, '')),
    asked,
  )) {
    found.push(...items.filter((budget) => counts(budget, pod)));
  }
  return found;
}

function counts({ body }: ObjectState, { labels }: ObjectState): boolean {
  try {
    return fromLabelSelector(objectAt(body.spec).selector).matches(labels);
  } catch (error) {
    if (error instanceof SelectorError) return false;
    throw error;
  }
}

export interface Disruption {
  /** The name of the pod to evict. */
  readonly pod: string;
  readonly dryRun: boolean;
}

/**
 * Takes one disruption from a budget, in one conditional write: of two concurrent requests for the last one, one wins.
 * k8s.io/kubernetes/pkg/registry/core/pod/storage, checkAndDecrement
 * @throws ApiError 429 no disruption is left, the controller has not computed the status, or the budget is gone; 403
 */
export async function takeDisruption(call: Call, budget: ObjectState, wanted: Disruption): Promise<void> {
  const options = asServer(call.options);
  const target = ofBudgets(call, budget.name.name);
  const { type } = target.route;
  const tracking = await trackFields({ route: target.route, manager: MANAGER, clock: options.clock });
  const change = async (current: ObjectState | undefined): Promise<Mutation> => {
    if (current?.uid !== budget.uid) throw stillProcessed(budget.name.name);
    const typed = await typedState(type, current);
    refuseDisruption(typed);
    const body = withDisruption(typed.body, wanted.pod, timestamp(options.clock));
    return spelledMutation(type, tracking.changed(typed, { kind: 'put', body }));
  };
  const collection = collectionOfCall(target);
  const outcome = await options.store.write(collection, budget.name, change, { dryRun: wanted.dryRun });
  await announceCommit(options, collection, outcome, wanted.dryRun);
}

/** The error if the controller has not computed the budget's allowed disruptions yet, or the budget has just changed. */
export function stillProcessed(name: string): ApiError {
  return tooMany(`The disruption budget ${name} is still being processed by the server.`, LATER);
}

function refuseDisruption({ name: { name }, body }: ObjectState): void {
  const { generation = 0 } = metadataOf(body);
  const status = objectAt(body.status);
  const { observedGeneration = 0, disruptionsAllowed = 0, disruptedPods } = status;
  if (Number(observedGeneration) < Number(generation)) throw stillProcessed(name);
  if (Number(disruptionsAllowed) < 0) throw forbidden(BUDGET, name, 'pdb disruptions allowed is negative');
  if (Object.keys(disruptedPods ?? {}).length > MOST_DISRUPTED) {
    const why = 'DisruptedPods map too big - too many evictions not confirmed by PDB controller';
    throw forbidden(BUDGET, name, why);
  }
  if (Number(disruptionsAllowed) > 0) return;
  const { desiredHealthy = 0, currentHealthy = 0 } = status;
  throw tooMany(
    `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`,
  );
}

function tooMany(message: string, retryAfterSeconds?: number): ApiError {
  const causes = [{ reason: 'DisruptionBudget', message }];
  return new ApiError(
    429,
    'TooManyRequests',
    "Cannot evict pod as it would violate the pod's disruption budget.",
    retryAfterSeconds === undefined ? { causes } : { causes, retryAfterSeconds },
  );
}

function withDisruption(budget: JsonObject, pod: string, now: string): JsonObject {
  const status = objectAt(budget.status);
  const { disruptedPods, disruptionsAllowed, conditions } = status;
  const left = Number(disruptionsAllowed) - 1;
  const disrupted = { ...(isJsonObject(disruptedPods) ? disruptedPods : {}), [pod]: now };
  const known = Array.isArray(conditions) ? conditions.filter(isJsonObject) : [];
  const taken: JsonObject = { ...status, disruptionsAllowed: left, disruptedPods: disrupted };
  if (left === 0) taken.conditions = exhausted(known, status, now);
  return { ...budget, status: taken };
}

function exhausted(
  conditions: readonly JsonObject[],
  { observedGeneration = 0 }: JsonObject,
  now: string,
): JsonObject[] {
  const type = 'DisruptionAllowed';
  const at = conditions.findIndex((condition) => condition.type === type);
  const before = conditions[at];
  const lastTransitionTime = before?.status === 'False' ? (before.lastTransitionTime ?? now) : now;
  const condition = {
    type,
    status: 'False',
    observedGeneration,
    lastTransitionTime,
    reason: 'InsufficientPods',
    message: '',
  };
  return at < 0 ? [...conditions, condition] : conditions.with(at, condition);
}

/** The same call, for the status of a budget. */
function ofBudgets(call: Call, name: string): Call & { readonly route: ResourceRoute } {
  const type: ResourceType | undefined = findResourceType('policy', 'v1', 'poddisruptionbudgets');
  if (type === undefined) throw new Error('the resource type poddisruptionbudgets is missing');
  return { ...call, route: { ...call.route, type, name, verb: 'update', subresource: 'status' } };
}
