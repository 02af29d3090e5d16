import { type JsonObject, type JsonValue, objectAt } from '../../../json/index.ts';
import { dns1123LabelErrors } from '../../../selectors/index.ts';
import { child, forbidden, index, invalid, notSupported, required } from '../../field-errors/index.ts';
import { amountAtLeastZero, nanosOf } from '../containers/index.ts';
import { type Errors, invalidFor, nonNegative, positive } from '../errors.ts';
import { nameErrors } from '../names.ts';
import { isThere, numberOf, objectsOf, textOf } from '../reading.ts';

const LONGEST_WINDOW = 3_600;
const LONGEST_PERIOD = 1_800;
const SELECTIONS = ['Disabled', 'Max', 'Min'];
const POLICIES = ['Percent', 'Pods'];
const TARGETS = ['Utilization', 'Value', 'AverageValue'];

/** Follows k8s.io/kubernetes/pkg/apis/autoscaling/validation, for the fields of autoscaling/v2. */
export function* autoscaler({ spec: given }: JsonObject): Errors {
  const spec = objectAt(given);
  const [least, most] = [spec.minReplicas, numberOf(spec.maxReplicas)];
  if (isThere(least) && numberOf(least) < 1) {
    yield invalid('spec.minReplicas', least, 'must be greater than or equal to 1');
  }
  if (most < 1) yield invalid('spec.maxReplicas', most, 'must be greater than 0');
  if (isThere(least) && most < numberOf(least)) {
    yield invalid('spec.maxReplicas', most, 'must be greater than or equal to `minReplicas`');
  }
  yield* objectReference('spec.scaleTargetRef', objectAt(spec.scaleTargetRef));
  for (const [at, metric] of objectsOf(spec.metrics).entries()) {
    yield* metricSpec(index('spec.metrics', at), metric);
  }
  const behavior = objectAt(spec.behavior);
  for (const side of ['scaleUp', 'scaleDown']) {
    if (isThere(behavior[side])) yield* scalingRules(`spec.behavior.${side}`, objectAt(behavior[side]));
  }
}

export function* autoscalerStatus({ status }: JsonObject): Errors {
  for (const field of ['currentReplicas', 'desiredReplicas']) {
    yield* nonNegative(child('status', field), objectAt(status)[field]);
  }
}

function* objectReference(path: string, reference: JsonObject): Errors {
  for (const field of ['kind', 'name']) yield* pathSegment(child(path, field), reference[field]);
}

function* pathSegment(path: string, value: JsonValue | undefined, missing = ''): Errors {
  if (textOf(value) === '') {
    yield required(path, missing);
  } else {
    yield* invalidFor(path, textOf(value), nameErrors('path', textOf(value)));
  }
}

function* scalingRules(path: string, rules: JsonObject): Errors {
  const { stabilizationWindowSeconds: window, selectPolicy, policies, tolerance } = rules;
  const own = child(path, 'stabilizationWindowSeconds');
  if (isThere(window) && numberOf(window) < 0) {
    yield invalid(own, window, 'must be greater than or equal to zero');
  }
  if (isThere(window) && numberOf(window) > LONGEST_WINDOW) {
    yield invalid(own, window, `must be less than or equal to ${LONGEST_WINDOW}`);
  }
  if (isThere(selectPolicy) && !SELECTIONS.includes(textOf(selectPolicy))) {
    yield notSupported(child(path, 'selectPolicy'), selectPolicy, SELECTIONS);
  }
  const all = objectsOf(policies);
  if (all.length === 0) yield required(child(path, 'policies'), 'must specify at least one Policy');
  for (const [at, policy] of all.entries()) yield* scalingPolicy(index(child(path, 'policies'), at), policy);
  if (isThere(tolerance)) yield* amountAtLeastZero(child(path, 'tolerance'), tolerance);
}

function* scalingPolicy(path: string, { type, value, periodSeconds }: JsonObject): Errors {
  if (!POLICIES.includes(textOf(type))) yield notSupported(child(path, 'type'), textOf(type), POLICIES);
  yield* positive(child(path, 'value'), value);
  yield* positive(child(path, 'periodSeconds'), periodSeconds);
  if (numberOf(periodSeconds) > LONGEST_PERIOD) {
    yield invalid(
      child(path, 'periodSeconds'),
      numberOf(periodSeconds),
      `must be less than or equal to ${LONGEST_PERIOD}`,
    );
  }
}

type Source = (path: string, source: JsonObject) => Errors;

/** The sources of metrics, in the order in which Kubernetes checks them. */
const SOURCES: ReadonlyMap<string, Source> = new Map<string, Source>([
  ['object', objectSource],
  ['external', externalSource],
  ['pods', podsSource],
  ['resource', resourceSource],
  ['containerResource', containerResourceSource],
]);
/** The types of metrics in alphabetical order. */
const TYPES = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource'];

function* metricSpec(path: string, metric: JsonObject): Errors {
  const type = textOf(metric.type);
  if (type === '') yield required(child(path, 'type'), 'must specify a metric source type');
  const isKnown = TYPES.includes(type);
  if (!isKnown) yield notSupported(child(path, 'type'), type, TYPES);
  const given = [...SOURCES].filter(([name]) => isThere(metric[name]));
  for (const [name, check] of given.slice(0, 1)) yield* check(child(path, name), objectAt(metric[name]));
  const expected = `${type.charAt(0).toLowerCase()}${type.slice(1)}`;
  if (!isKnown) {
    yield notSupported(child(path, 'type'), type, TYPES);
  } else if (!isThere(metric[expected])) {
    yield required(child(path, expected), 'must populate information for the given metric source');
  }
  if (given.length === 1) return;
  for (const [name] of given) {
    if (name === expected) continue;
    yield forbidden(child(path, name), 'must populate the given metric source only');
  }
}

function* objectSource(path: string, source: JsonObject): Errors {
  yield* objectReference(child(path, 'describedObject'), objectAt(source.describedObject));
  yield* named(path, source);
  yield* target(path, source, 'must set either a target value or averageValue');
}

function* externalSource(path: string, source: JsonObject): Errors {
  yield* named(path, source);
  yield* target(path, source, 'must set either a target value for metric or a per-pod target');
  const { value, averageValue } = objectAt(source.target);
  if (isThere(value) && isThere(averageValue)) {
    yield forbidden(
      child(path, 'target.value'),
      'may not set both a target value for metric and a per-pod target',
    );
  }
}

function* podsSource(path: string, source: JsonObject): Errors {
  yield* named(path, source);
  yield* metricTarget(child(path, 'target'), objectAt(source.target));
  if (!isThere(objectAt(source.target).averageValue)) {
    yield required(child(path, 'target.averageValue'), 'must specify a positive target averageValue');
  }
}

function* resourceSource(path: string, source: JsonObject): Errors {
  if (textOf(source.name) === '') yield required(child(path, 'name'), 'must specify a resource name');
  yield* utilization(path, source);
}

function* containerResourceSource(path: string, source: JsonObject): Errors {
  if (textOf(source.name) === '') yield required(child(path, 'name'), 'must specify a resource name');
  if (textOf(source.container) === '') {
    yield required(child(path, 'container'), 'must specify a container');
  } else {
    yield* invalidFor(
      child(path, 'container'),
      textOf(source.container),
      dns1123LabelErrors(textOf(source.container)),
    );
  }
  yield* utilization(path, source);
}

function* utilization(path: string, source: JsonObject): Errors {
  yield* metricTarget(child(path, 'target'), objectAt(source.target));
  const { averageUtilization, averageValue } = objectAt(source.target);
  if (!isThere(averageUtilization) && !isThere(averageValue)) {
    yield required(
      child(path, 'target.averageUtilization'),
      'must set either a target raw value or a target utilization',
    );
  }
  if (isThere(averageUtilization) && isThere(averageValue)) {
    yield forbidden(
      child(path, 'target.averageValue'),
      'may not set both a target raw value and a target utilization',
    );
  }
}

function* named(path: string, { metric }: JsonObject): Errors {
  yield* pathSegment(child(path, 'metric.name'), objectAt(metric).name, 'must specify a metric name');
}

function* target(path: string, source: JsonObject, neither: string): Errors {
  yield* metricTarget(child(path, 'target'), objectAt(source.target));
  const { value, averageValue } = objectAt(source.target);
  if (!isThere(value) && !isThere(averageValue)) yield required(child(path, 'target.averageValue'), neither);
}

function* metricTarget(path: string, wanted: JsonObject): Errors {
  const type = textOf(wanted.type);
  if (type === '') yield required(child(path, 'type'), 'must specify a metric target type');
  if (!TARGETS.includes(type)) {
    yield invalid(child(path, 'type'), type, 'must be either Utilization, Value, or AverageValue');
  }
  for (const field of ['value', 'averageValue']) {
    const amount = wanted[field];
    if (isThere(amount) && nanosOf(amount) <= 0n) {
      yield invalid(child(path, field), amount, 'must be positive');
    }
  }
  const { averageUtilization: percent } = wanted;
  if (isThere(percent) && numberOf(percent) < 1) {
    yield invalid(child(path, 'averageUtilization'), percent, 'must be greater than 0');
  }
}
