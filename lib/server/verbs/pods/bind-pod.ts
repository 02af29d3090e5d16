import { type JsonObject, metadataOf, objectAt } from '../../../json/index.ts';
import { assigned, whyNotAssigned } from '../../../kubernetes/assignment/index.ts';
import {
  apiVersionOf,
  findResourceType,
  type ResourceType,
} from '../../../kubernetes/resource-types/index.ts';
import type { FieldError } from '../../../selectors/index.ts';
import type { Mutation, ObjectState } from '../../../store/index.ts';
import {
  type Answer,
  announceCommit,
  type Call,
  collectionOfCall,
  objectNameOf,
  readBody,
  readDryRun,
  readFieldValidation,
} from '../../http/index.ts';
import { decodeSent, judgeFaults, spelledMutation, timestamp, typedState } from '../../objects/index.ts';
import { badRequest, conflict, invalid, notFound, succeeded } from '../../status/index.ts';

/** The resource name in messages. */
const BINDING_OF_POD = { group: '', resource: 'pods/binding' };

/**
 * POST of a Binding: assigns a pod to a node, as a scheduler does. The path is `/binding` of the pod, or the bindings
 * of its namespace. k8s.io/kubernetes/pkg/registry/core/pod/storage, BindingREST
 * @throws ApiError 400; 404; 409 the pod is bound already or terminating; 422 also if a policy denies it
 */
export async function bindPod(call: Call): Promise<Answer> {
  const { request, route, options } = call;
  const bindings = typeOf('bindings');
  const dryRun = readDryRun(request.query.getAll('dryRun'), 'CreateOptions');
  const validation = readFieldValidation(request.query, 'CreateOptions');
  const sent = await readBody(request, { apiVersion: apiVersionOf(bindings), kind: bindings.kind });
  const decoded = await decodeSent({ ...sent, type: bindings, namespace: route.namespace });
  const warnings = judgeFaults(decoded, bindings, validation);
  const { name: said = '' } = metadataOf(decoded.body);
  const name = route.subresource === '' ? String(said) : route.name;
  if (name !== said) throw badRequest('name in URL does not match name in Binding object');
  if (name === '') throw badRequest('Name parameter required.');
  refuseTarget(name, decoded.body);
  const type = typeOf('pods');
  const target: Call = { ...call, route: { ...route, type, name, subresource: '' } };
  const change = async (current: ObjectState | undefined): Promise<Mutation> => {
    if (current === undefined) throw notFound(type, name);
    refuseOther(current, metadataOf(decoded.body));
    await call.decide?.(() => ({ operation: 'CREATE', name, object: decoded.body, dryRun }));
    const { body } = await typedState(type, current);
    const { metadata, target: node } = decoded.body;
    const { name: nodeName = '' } = objectAt(node);
    const { annotations } = objectAt(metadata);
    const now = timestamp(options.clock);
    return spelledMutation(type, { kind: 'put', body: assigned(body, { nodeName, annotations, now }) });
  };
  const collection = collectionOfCall(target);
  const outcome = await options.store.write(collection, objectNameOf(target), change, { dryRun });
  await announceCommit(options, collection, outcome, dryRun);
  return { status: 201, value: succeeded(201), warnings };
}

function typeOf(resource: string): ResourceType {
  const type = findResourceType('', 'v1', resource);
  if (type === undefined) throw new Error(`the resource type ${resource} is missing`);
  return type;
}

/** @throws ApiError 422 the target is invalid; Kubernetes answers these faults with 500 */
function refuseTarget(name: string, { target }: JsonObject): void {
  const { kind = '', name: node = '' } = objectAt(target);
  const errors: FieldError[] = [];
  if (kind !== '' && kind !== 'Node') {
    const detail = 'supported values: "Node", "<empty>"';
    errors.push({ type: 'NotSupported', field: 'target.kind', value: kind, detail });
  }
  if (node === '') errors.push({ type: 'Required', field: 'target.name', detail: '' });
  if (errors.length > 0) throw invalid({ group: '', kind: 'Binding' }, name, errors);
}

function refuseOther({ name: { name }, uid, rv, body }: ObjectState, wanted: JsonObject): void {
  const { uid: wantedUid = '', resourceVersion = '' } = wanted;
  if (wantedUid !== '' && wantedUid !== uid) {
    const why = `Precondition failed: UID in precondition: ${wantedUid}, UID in object meta: ${uid}`;
    throw conflict(BINDING_OF_POD, name, why);
  }
  if (resourceVersion !== '' && resourceVersion !== String(rv)) {
    const why = `Precondition failed: ResourceVersion in precondition: ${resourceVersion}, ResourceVersion in object meta: ${rv}`;
    throw conflict(BINDING_OF_POD, name, why);
  }
  const why = whyNotAssigned(name, body);
  if (why !== undefined) throw conflict(BINDING_OF_POD, name, why);
}
