import { isJsonObject, type JsonObject, type JsonValue, metadataOf, objectAt } from '../../../json/index.ts';
import { withPodCondition } from '../../../kubernetes/assignment/index.ts';
import { EVICTION } from '../../../kubernetes/resource-types/index.ts';
import type { ObjectState } from '../../../store/index.ts';
import { type Answer, type Call, collectionOfCall, objectNameOf, readBody } from '../../http/index.ts';
import { decodeSent, timestamp } from '../../objects/index.ts';
import { ApiError, badRequest, notFound, succeeded } from '../../status/index.ts';
import { removeObject } from '../delete-object.ts';
import { type DeleteOptions, deleteOptionsOf } from '../removal/index.ts';
import { budgetsOf, stillProcessed, takeDisruption } from './disruption-budgets.ts';

/** Attempts when a pod changes while its eviction is decided. */
const ATTEMPTS = 6;
/** Phases in which a pod serves no clients, so that its end disrupts nothing. */
const IDLE = ['Pending', 'Succeeded', 'Failed'];
const ENDED = ['Succeeded', 'Failed'];
const EVICTED = {
  type: 'DisruptionTarget',
  status: 'True',
  reason: 'EvictionByEvictionAPI',
  message: 'Eviction API: evicting',
} as const;

/**
 * POST of an Eviction: deletes a pod if its disruption budget allows it. First the budget is reduced, then the pod is
 * deleted. After a crash in between, the pod still exists but counts as evicted; the budget's controller corrects it.
 * k8s.io/kubernetes/pkg/registry/core/pod/storage, EvictionREST
 * @throws ApiError 400, 404, 409, 422 a policy denies it, 429 the budget does not allow it
 */
export async function evictPod(call: Call): Promise<Answer> {
  const { eviction, wanted } = await readEviction(call);
  for (let attempt = 1; ; attempt += 1) {
    const pod = await call.options.store.get(collectionOfCall(call), objectNameOf(call));
    if (pod === undefined) throw notFound(call.route.type, call.route.name);
    const { dryRun } = wanted;
    await call.decide?.(() => ({ operation: 'CREATE', object: eviction, dryRun }));
    const how = await admitted(call, pod, wanted);
    try {
      await removeObject(call, pod.name, how, (current) => ({
        ...current,
        body: withPodCondition(current.body, EVICTED, timestamp(call.options.clock)),
      }));
      return { status: 201, value: succeeded(201) };
    } catch (error) {
      const isRaced = error instanceof ApiError && error.reason === 'Conflict';
      if (!isRaced || wanted.resourceVersion !== undefined || wanted.uid !== undefined) throw error;
      if (!isIdle(pod)) throw await nowRefused(call, pod);
      if (attempt === ATTEMPTS) throw error;
    }
  }
}

/** The error for an eviction that a change of the pod interrupted: the pod was not ready, and may have become ready. */
async function nowRefused(call: Call, pod: ObjectState): Promise<ApiError> {
  const [budget] = await budgetsOf(call, pod);
  return stillProcessed(budget?.name.name ?? '');
}

interface ReadEviction {
  readonly eviction: JsonObject;
  readonly wanted: DeleteOptions;
}

async function readEviction(call: Call): Promise<ReadEviction> {
  const { request, route } = call;
  const expected = { apiVersion: `${EVICTION.group}/${EVICTION.version}`, kind: EVICTION.kind };
  const sent = await readBody(request, expected);
  const { body } = await decodeSent({
    ...sent,
    value: inPresentVersion(sent.value),
    type: EVICTION,
    namespace: route.namespace,
  });
  if (metadataOf(body).name !== route.name) {
    throw badRequest('name in URL does not match name in Eviction object');
  }
  return { eviction: body, wanted: deleteOptionsOf(body.deleteOptions ?? {}, request.query) };
}

/** The Eviction in the current version. The older version has the same fields. */
function inPresentVersion(value: JsonValue): JsonValue {
  const isOld = isJsonObject(value) && value.apiVersion === 'policy/v1beta1';
  return isOld ? { ...value, apiVersion: 'policy/v1' } : value;
}

/** Returns how to delete the pod, if its budget allows it. @throws ApiError 403, 409, 429 */
async function admitted(call: Call, pod: ObjectState, wanted: DeleteOptions): Promise<DeleteOptions> {
  const asItWas = { resourceVersion: String(pod.rv), ...wanted };
  if (isIdle(pod)) return isOver(pod) ? wanted : asItWas;
  const [budget, ...others] = await budgetsOf(call, pod);
  if (budget === undefined) return wanted;
  if (others.length > 0) {
    throw new ApiError(
      409,
      'Conflict',
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    );
  }
  // An unready pod does not count as healthy. It may be evicted while enough other pods are healthy, unless it becomes
  // ready meanwhile.
  if (!isReady(pod.body) && mayGoUnhealthy(budget.body)) return asItWas;
  await takeDisruption(call, budget, { pod: pod.name.name, dryRun: wanted.dryRun });
  return wanted;
}

function isIdle(pod: ObjectState): boolean {
  return IDLE.includes(String(objectAt(pod.body.status).phase)) || isLeaving(pod);
}

/** Whether the pod cannot run any more. */
function isOver(pod: ObjectState): boolean {
  return ENDED.includes(String(objectAt(pod.body.status).phase)) || isLeaving(pod);
}

function isLeaving({ body }: ObjectState): boolean {
  return metadataOf(body).deletionTimestamp !== undefined;
}

function isReady({ status }: JsonObject): boolean {
  const { conditions } = objectAt(status);
  const ready = Array.isArray(conditions) ? conditions.filter(isJsonObject) : [];
  return ready.some((condition) => condition.type === 'Ready' && condition.status === 'True');
}

function mayGoUnhealthy({ spec, status }: JsonObject): boolean {
  if (objectAt(spec).unhealthyPodEvictionPolicy === 'AlwaysAllow') return true;
  const { currentHealthy = 0, desiredHealthy = 0 } = objectAt(status);
  return Number(currentHealthy) >= Number(desiredHealthy) && Number(desiredHealthy) > 0;
}
