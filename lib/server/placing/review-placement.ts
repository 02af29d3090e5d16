import { objectAt } from '../../json/index.ts';
import { apiVersionOf } from '../../kubernetes/resource-types/index.ts';
import type { Store } from '../../store/index.ts';
import {
  type Answer,
  type Call,
  negotiate,
  readBody,
  readDryRun,
  readFieldValidation,
} from '../http/index.ts';
import { decodeSent, judgeFaults } from '../objects/index.ts';
import { invalid } from '../status/index.ts';
import { askedPod } from './asked-pod.ts';
import { placeEach } from './place-each.ts';
import { placementTable } from './placement-table.ts';
import { readQuestion } from './read-question.ts';
import type { CachedWorld } from './world-cache.ts';

/** Returns the current world. */
type Current = (store: Store) => Promise<Pick<CachedWorld<unknown>, 'world'>>;

/**
 * Handles POST of a PlacementReview: which nodes the pods may run on, in which order, and why other nodes are
 * refused. Nothing is stored.
 *
 * @throws ApiError 400, 403 for the reasons that would refuse a create of the pod; 422
 */
export async function reviewPlacement(call: Call, current: Current): Promise<Answer> {
  const { options, request, route } = call;
  const { type } = route;
  const representation = negotiate(request.headers.accept);
  readDryRun(request.query.getAll('dryRun'), 'CreateOptions');
  const validation = readFieldValidation(request.query, 'CreateOptions');
  const sent = await readBody(request, { apiVersion: apiVersionOf(type), kind: type.kind });
  const { body, faults, yamlFaults } = await decodeSent({ ...sent, type, namespace: '' });
  const spec = objectAt(body.spec);
  const { question, errors, unknown } = await readQuestion(spec, options.store);
  if (question === undefined) throw invalid(type, '', errors);
  const asked = await askedPod(call, question);
  const told = [...unknown, ...asked.unknown].map((path) => `unknown field "${path}"`);
  const warnings = judgeFaults({ faults: [...faults, ...told], yamlFaults }, type, validation);
  const { world } = await current(options.store);
  const placed = placeEach(asked.pod, question.count, world);
  if (representation.as === 'Table') {
    return { status: 201, value: placementTable(placed, representation.version), warnings };
  }
  const { feasible, refused, assigned, message } = placed;
  const status = { assigned, feasible, refused, ...(message !== '' && { message }) };
  const { apiVersion = '', kind = '' } = body;
  const value = JSON.parse(
    JSON.stringify({ kind, apiVersion, metadata: { creationTimestamp: null }, spec, status }),
  );
  return { status: 201, value, warnings };
}
