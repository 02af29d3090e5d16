import { type JsonObject, jsonEquals, metadataOf, objectAt } from '../../json/index.ts';
import { labelKeyErrors } from '../../selectors/index.ts';
import { child, forbidden, index, invalid, notSupported, required } from '../field-errors/index.ts';
import { isRange } from './addresses.ts';
import { countOrPercent, type Errors, invalidFor, nonNegative, notOverAll } from './errors.ts';
import { goIntOrString, goLabelSelector, goPointer } from './go-values.ts';
import { labelSelector } from './label-selectors.ts';
import { isThere, numberOf, textOf, textsOf } from './reading.ts';
import { taints } from './scheduling.ts';

/** Checks a node. Kubernetes reports taints in the metadata. */
export function* node({ spec }: JsonObject): Errors {
  yield* taints('metadata.taints', objectAt(spec).taints);
  for (const [at, range] of textsOf(objectAt(spec).podCIDRs).entries()) {
    yield* isRange(index('spec.podCIDRs', at), range);
  }
}

/** Checks the update of a node. Its address ranges and its provider ID can be set only once. */
export function* nodeUpdate(body: JsonObject, old: JsonObject): Errors {
  const [spec, before] = [objectAt(body.spec), objectAt(old.spec)];
  const ranges = textsOf(before.podCIDRs);
  if (ranges.length > 0 && !jsonEquals(textsOf(spec.podCIDRs), ranges)) {
    yield forbidden('spec.podCIDRs', 'node updates may not change podCIDR except from "" to valid');
  }
  const provider = textOf(before.providerID);
  if (provider !== '' && textOf(spec.providerID) !== provider) {
    yield forbidden('spec.providerID', 'node updates may not change providerID except from "" to valid');
  }
  yield* taints('metadata.taints', spec.taints);
}

export function* lease(body: JsonObject): Errors {
  const { leaseDurationSeconds: seconds, leaseTransitions, strategy, preferredHolder } = objectAt(body.spec);
  if (isThere(seconds) && numberOf(seconds) <= 0) {
    yield invalid('spec.leaseDurationSeconds', seconds, 'must be greater than 0');
  }
  yield* nonNegative('spec.leaseTransitions', leaseTransitions);
  if (textOf(preferredHolder) !== '' && textOf(strategy) === '') {
    yield forbidden('spec.preferredHolder', 'may only be specified if `strategy` is defined');
  }
}

const LONGEST_TEXT = 128;
const LONGEST_NOTE = 1024;

/**
 * Checks the namespace of an Event, which must be that of the object. For an object without a namespace it is
 * `default`.
 */
export function* event(body: JsonObject): Errors {
  const own = textOf(metadataOf(body).namespace);
  const about = textOf(objectAt(body.involvedObject).namespace);
  const detail = 'does not match event.namespace';
  if (!isThere(body.eventTime)) {
    const fits = about === '' ? own === 'default' : about === own;
    if (!fits) yield invalid('involvedObject.namespace', about, detail);
    return;
  }
  if (about === '' && own !== 'default' && own !== 'kube-system') {
    yield invalid('involvedObject.namespace', about, detail);
  }
  const controller = textOf(body.reportingComponent);
  if (controller === '') yield required('reportingComponent');
  yield* invalidFor('reportingComponent', controller, labelKeyErrors(controller));
  for (const field of ['reportingInstance', 'action', 'reason']) {
    const value = textOf(body[field]);
    if (value === '') yield required(field);
    if (value.length > LONGEST_TEXT) yield invalid(field, '', `can have at most ${LONGEST_TEXT} characters`);
  }
  if (textOf(body.message).length > LONGEST_NOTE) {
    yield invalid('message', '', `can have at most ${LONGEST_NOTE} characters`);
  }
}

export function* podDisruptionBudget(body: JsonObject): Errors {
  const spec = objectAt(body.spec);
  const limits = ['minAvailable', 'maxUnavailable'];
  if (limits.every((field) => isThere(spec[field]))) {
    const detail = `${printedBudget(spec)}: minAvailable and maxUnavailable cannot be both set`;
    yield { type: 'Invalid', field: 'spec', detail };
  }
  for (const field of limits) {
    yield* countOrPercent(child('spec', field), spec[field]);
    yield* notOverAll(child('spec', field), spec[field]);
  }
  yield* labelSelector('spec.selector', spec.selector);
  const { unhealthyPodEvictionPolicy: policy } = spec;
  const policies = ['AlwaysAllow', 'IfHealthyBudget'];
  if (isThere(policy) && !policies.includes(textOf(policy))) {
    yield notSupported('spec.unhealthyPodEvictionPolicy', policy, policies);
  }
}

function printedBudget(spec: JsonObject): string {
  const { selector, minAvailable, maxUnavailable, unhealthyPodEvictionPolicy: policy } = spec;
  const count = (value: typeof selector) => (isThere(value) ? goIntOrString(value) : undefined);
  const selected = isThere(selector) ? goLabelSelector(objectAt(selector)) : undefined;
  return [
    `policy.PodDisruptionBudgetSpec{MinAvailable:${goPointer('intstr.IntOrString', count(minAvailable))}`,
    `Selector:${goPointer('v1.LabelSelector', selected)}`,
    `MaxUnavailable:${goPointer('intstr.IntOrString', count(maxUnavailable))}`,
    `UnhealthyPodEvictionPolicy:${goPointer('policy.UnhealthyPodEvictionPolicyType', policy)}}`,
  ].join(', ');
}
