import { objectAt } from '../../json/index.ts';
import { apiVersionOf, scaleOf, withReplicas } from '../../kubernetes/resource-types/index.ts';
import { type ObjectState, toObject } from '../../store/index.ts';
import { type Answer, type Call, readDryRun } from '../http/index.ts';
import { decodeSent, nextState, trackFields } from '../objects/index.ts';
import { readApplied } from './read-applied.ts';
import { readApplier } from './read-applier.ts';
import { decodeScale, mutatedScale, writeScale } from './write-scale.ts';

/** PATCH of `/scale` with an apply: applies to the object itself, and only to its replicas. */
export async function applyScale(call: Call): Promise<Answer> {
  const { request, route, options } = call;
  const { type, namespace } = route;
  const { manager, force } = readApplier(request);
  const dryRun = readDryRun(request.query.getAll('dryRun'), 'PatchOptions');
  const { body } = await readApplied(request);
  const { metadata = {}, spec } = decodeScale(body, route);
  const { replicas } = objectAt(spec);
  const named = { apiVersion: apiVersionOf(type), kind: type.kind, metadata };
  const applied = replicas === undefined ? named : withReplicas(type, named, replicas);
  const tracking = await trackFields({ route, manager, clock: options.clock });
  const mutationOf = async (current: ObjectState) => {
    const value = tracking.applied(toObject(current), { body: applied, force });
    const { body } = await decodeSent({ type, namespace, value });
    const scale = scaleOf(type, body);
    const wanted = await mutatedScale(call, current, { scale, dryRun });
    const desired = wanted === scale ? body : withReplicas(type, body, objectAt(wanted.spec).replicas ?? 0);
    return tracking.settled(current, await nextState({ ...route, subresource: '' }, current, desired));
  };
  return writeScale(call, { dryRun, mutationOf });
}
