import { type JsonObject, type JsonValue, jsonEquals, objectAt } from '../../json/index.ts';
import { type Selector, SelectorError } from '../../selectors/index.ts';
import { child, forbidden, invalid, invalidPrinted, notSupported, required } from '../field-errors/index.ts';
import { countOf, countOrPercent, type Errors, label, nonNegative, notOverAll } from './errors.ts';
import { goIntOrString, goLabelSelector, goMap, goStrategy } from './go-values.ts';
import { labelSelector, labels, readSelector } from './label-selectors.ts';
import { annotations } from './metadata.ts';
import { podTemplate } from './pods.ts';
import { entriesOf, isThere, numberOf, textOf } from './reading.ts';

const MISMATCH = '`selector` does not match template `labels`';

export function* deployment(body: JsonObject): Errors {
  const spec = objectAt(body.spec);
  yield* nonNegative('spec.replicas', spec.replicas);
  yield* selected(spec, { kind: 'deployment', wrong: 'invalid label selector' });
  yield* deploymentStrategy('spec.strategy', objectAt(spec.strategy));
  yield* nonNegative('spec.minReadySeconds', spec.minReadySeconds);
  yield* nonNegative('spec.revisionHistoryLimit', spec.revisionHistoryLimit);
  const { progressDeadlineSeconds: deadline } = spec;
  if (!isThere(deadline)) return;
  yield* nonNegative('spec.progressDeadlineSeconds', deadline);
  if (numberOf(deadline) <= numberOf(spec.minReadySeconds)) {
    yield invalid('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds');
  }
}

export function* replicaSet(body: JsonObject): Errors {
  const spec = objectAt(body.spec);
  yield* nonNegative('spec.replicas', spec.replicas);
  yield* nonNegative('spec.minReadySeconds', spec.minReadySeconds);
  // Kubernetes uses the same words for Deployments and ReplicaSets.
  yield* selected(spec, { kind: 'deployment', wrong: 'invalid label selector' });
}

/** Checks that the selector of a workload is unchanged. */
export function* sameSelector(body: JsonObject, old: JsonObject): Errors {
  const [selector, before] = [objectAt(body.spec).selector ?? null, objectAt(old.spec).selector ?? null];
  if (jsonEquals(selector, before)) return;
  const printed = selector === null ? '"null"' : goLabelSelector(objectAt(selector));
  yield invalidPrinted('spec.selector', printed, 'field is immutable');
}

export function* statefulSet(body: JsonObject): Errors {
  const spec = objectAt(body.spec);
  const { podManagementPolicy: policy } = spec;
  if (textOf(policy) === '') {
    yield required('spec.podManagementPolicy');
  } else if (policy !== 'OrderedReady' && policy !== 'Parallel') {
    yield invalid('spec.podManagementPolicy', textOf(policy), "must be 'OrderedReady' or 'Parallel'");
  }
  yield* statefulStrategy('spec.updateStrategy', objectAt(spec.updateStrategy));
  yield* retention('spec.persistentVolumeClaimRetentionPolicy', spec.persistentVolumeClaimRetentionPolicy);
  yield* nonNegative('spec.replicas', spec.replicas);
  yield* nonNegative('spec.minReadySeconds', spec.minReadySeconds);
  yield* nonNegative('spec.ordinals.start', objectAt(spec.ordinals).start);
  const selector = yield* workloadSelector(spec, 'statefulset');
  if (selector instanceof SelectorError) {
    yield invalidSelector(spec, '');
  } else {
    yield* statefulTemplate(spec, selector);
  }
  yield* alwaysRestarted(spec, 'StatefulSet');
}

export function* newStatefulSet(body: JsonObject): Errors {
  const service = textOf(objectAt(body.spec).serviceName);
  if (service !== '') yield* label('spec.serviceName', service);
  yield* statefulSet(body);
}

const CHANGEABLE = [
  ...['replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit'],
  ...['persistentVolumeClaimRetentionPolicy', 'minReadySeconds'],
];

export function* statefulSetUpdate(body: JsonObject, old: JsonObject): Errors {
  const [spec, before] = [objectAt(body.spec), objectAt(old.spec)];
  const fields = new Set([...Object.keys(spec), ...Object.keys(before)]);
  for (const field of CHANGEABLE) fields.delete(field);
  if ([...fields].every((field) => jsonEquals(spec[field] ?? null, before[field] ?? null))) return;
  const allowed = CHANGEABLE.map((field) => `'${field}'`);
  const detail = `updates to statefulset spec for fields other than ${allowed.slice(0, -1).join(', ')} and ${allowed.at(-1)} are forbidden`;
  yield forbidden('spec', detail);
}

export function* daemonSet(body: JsonObject): Errors {
  const spec = objectAt(body.spec);
  const { selector } = spec;
  yield* labelSelector('spec.selector', selector);
  const read = readSelector('spec.selector', selector);
  if (!(read instanceof SelectorError) && !read.matches(labelsOf(spec.template))) yield mismatch(spec);
  if (isThere(selector) && isEmpty(selector)) yield emptySelector(spec, 'daemonset');
  yield* podTemplate('spec.template', spec.template);
  yield* alwaysRestarted(spec, 'DaemonSet');
  yield* nonNegative('spec.minReadySeconds', spec.minReadySeconds);
  yield* daemonStrategy('spec.updateStrategy', objectAt(spec.updateStrategy));
  yield* nonNegative('spec.revisionHistoryLimit', spec.revisionHistoryLimit);
}

/** Checks a ReplicationController. Its selector is a map, whose syntax is not checked. */
export function* replicationController(body: JsonObject): Errors {
  const spec = objectAt(body.spec);
  yield* nonNegative('spec.minReadySeconds', spec.minReadySeconds);
  const entries = entriesOf(spec.selector);
  if (entries.length === 0) yield required('spec.selector');
  yield* nonNegative('spec.replicas', spec.replicas);
  if (!isThere(spec.template)) {
    yield required('spec.template');
    return;
  }
  const own = labelsOf(spec.template);
  if (entries.some(([key, value]) => own[key] !== value)) yield mismatch(spec);
  yield* podTemplate('spec.template', spec.template);
  yield* alwaysRestarted(spec, 'ReplicationController');
}

export function* controllerRevision({ revision }: JsonObject): Errors {
  yield* nonNegative('revision', revision);
}

export function* newControllerRevision(body: JsonObject): Errors {
  yield* controllerRevision(body);
  if (!isThere(body.data)) {
    yield required('data', 'data is mandatory');
  } else if (typeof body.data !== 'object' || Array.isArray(body.data)) {
    yield required('data', 'data must be a valid JSON object');
  }
}

interface SelectorWords {
  readonly kind: string;
  readonly wrong: string;
}

/** Checks that the selector is not empty and matches the pods of the template. */
function* selected(spec: JsonObject, { kind, wrong }: SelectorWords): Errors {
  const selector = yield* workloadSelector(spec, kind);
  if (selector instanceof SelectorError) {
    yield invalidSelector(spec, wrong);
    return;
  }
  if (!isEmpty(spec.selector) && !selector.matches(labelsOf(spec.template))) yield mismatch(spec);
  yield* podTemplate('spec.template', spec.template);
  yield* alwaysRestarted(spec, 'ReplicaSet');
}

/** Checks the selector and returns it, or its errors. */
function* workloadSelector(
  spec: JsonObject,
  kind: string,
): Generator<ReturnType<typeof mismatch>, Selector | SelectorError> {
  const { selector } = spec;
  const read = readSelector('spec.selector', selector);
  if (!isThere(selector)) {
    yield required('spec.selector');
  } else if (isEmpty(selector)) {
    yield emptySelector(spec, kind);
  }
  if (read instanceof SelectorError) yield* read.errors;
  return read;
}

function* statefulTemplate(spec: JsonObject, selector: Selector): Errors {
  const { metadata } = objectAt(spec.template);
  if (!isEmpty(spec.selector) && !selector.matches(labelsOf(spec.template))) yield mismatch(spec);
  yield* labels('spec.template.labels', objectAt(metadata).labels);
  yield* annotations('spec.template.annotations', objectAt(metadata).annotations);
}

function* alwaysRestarted(spec: JsonObject, kind: string): Errors {
  const { restartPolicy, activeDeadlineSeconds } = objectAt(objectAt(spec.template).spec);
  if (restartPolicy !== 'Always') {
    yield notSupported('spec.template.spec.restartPolicy', textOf(restartPolicy), ['Always']);
  }
  if (!isThere(activeDeadlineSeconds)) return;
  const detail = `activeDeadlineSeconds in ${kind} is not Supported`;
  yield forbidden('spec.template.spec.activeDeadlineSeconds', detail);
}

function isEmpty(selector: JsonValue | undefined): boolean {
  const { matchLabels, matchExpressions } = objectAt(selector);
  const expressions = Array.isArray(matchExpressions) ? matchExpressions.length : 0;
  return isThere(selector) && entriesOf(matchLabels).length + expressions === 0;
}

function labelsOf(template: JsonValue | undefined): Record<string, string> {
  return Object.fromEntries(entriesOf(objectAt(objectAt(template).metadata).labels));
}

function mismatch(spec: JsonObject) {
  const own = objectAt(objectAt(spec.template).metadata).labels;
  return invalidPrinted('spec.template.metadata.labels', goMap(own), MISMATCH);
}

function emptySelector(spec: JsonObject, kind: string) {
  const detail = `empty selector is invalid for ${kind}`;
  return invalidPrinted('spec.selector', goLabelSelector(objectAt(spec.selector)), detail);
}

function invalidSelector(spec: JsonObject, detail: string) {
  const printed = goLabelSelector(objectAt(spec.selector));
  return {
    type: 'Invalid',
    field: 'spec.selector',
    detail: detail === '' ? printed : `${printed}: ${detail}`,
  } as const;
}

function* deploymentStrategy(path: string, strategy: JsonObject): Errors {
  const rolling = objectAt(strategy.rollingUpdate);
  const own = child(path, 'rollingUpdate');
  if (strategy.type === 'Recreate') {
    const detail = "may not be specified when strategy `type` is 'Recreate'";
    if (isThere(strategy.rollingUpdate)) yield forbidden(own, detail);
  } else if (strategy.type === 'RollingUpdate') {
    const { maxUnavailable, maxSurge } = rolling;
    yield* countOrPercent(child(own, 'maxUnavailable'), maxUnavailable);
    yield* countOrPercent(child(own, 'maxSurge'), maxSurge);
    if (countOf(maxUnavailable) === 0 && countOf(maxSurge) === 0) {
      const printed = goIntOrString(maxUnavailable);
      yield invalidPrinted(child(own, 'maxUnavailable'), printed, 'may not be 0 when `maxSurge` is 0');
    }
    yield* notOverAll(child(own, 'maxUnavailable'), maxUnavailable);
  } else {
    const printed = goStrategy(strategy, 'apps.DeploymentStrategy', 'apps.RollingUpdateDeployment');
    yield unknownStrategy(path, printed, ['Recreate', 'RollingUpdate']);
  }
}

function* statefulStrategy(path: string, strategy: JsonObject): Errors {
  const own = child(path, 'rollingUpdate');
  const { partition, maxUnavailable } = objectAt(strategy.rollingUpdate);
  if (textOf(strategy.type) === '') {
    yield required(path);
  } else if (strategy.type === 'RollingUpdate') {
    yield* nonNegative(child(own, 'partition'), partition);
    if (!isThere(maxUnavailable)) return;
    yield* countOrPercent(child(own, 'maxUnavailable'), maxUnavailable);
    if (countOf(maxUnavailable) === 0) {
      yield invalidPrinted(child(own, 'maxUnavailable'), goIntOrString(maxUnavailable), 'cannot be 0');
    }
    yield* notOverAll(child(own, 'maxUnavailable'), maxUnavailable);
  } else if (strategy.type !== 'OnDelete') {
    const printed = goStrategy(
      strategy,
      'apps.StatefulSetUpdateStrategy',
      'apps.RollingUpdateStatefulSetStrategy',
    );
    yield invalidPrinted(path, printed, "must be 'RollingUpdate' or 'OnDelete'");
  } else if (isThere(strategy.rollingUpdate)) {
    const printed = `&apps.RollingUpdateStatefulSetStrategy{Partition:${numberOf(partition)}, MaxUnavailable:(*intstr.IntOrString)(nil)}`;
    yield invalidPrinted(own, printed, "only allowed for updateStrategy 'RollingUpdate'");
  }
}

function* daemonStrategy(path: string, strategy: JsonObject): Errors {
  const own = child(path, 'rollingUpdate');
  if (strategy.type === 'OnDelete') return;
  if (strategy.type !== 'RollingUpdate') {
    const printed = goStrategy(strategy, 'apps.DaemonSetUpdateStrategy', 'apps.RollingUpdateDaemonSet');
    yield unknownStrategy(path, printed, ['RollingUpdate', 'OnDelete']);
    return;
  }
  if (!isThere(strategy.rollingUpdate)) {
    yield required(own);
    return;
  }
  const rolling = objectAt(strategy.rollingUpdate);
  for (const field of ['maxUnavailable', 'maxSurge']) {
    yield* countOrPercent(child(own, field), rolling[field]);
  }
  for (const field of ['maxUnavailable', 'maxSurge']) yield* notOverAll(child(own, field), rolling[field]);
  const [unavailable, surge] = [countOf(rolling.maxUnavailable) !== 0, countOf(rolling.maxSurge) !== 0];
  if (unavailable && surge) {
    const detail = 'may not be set when maxUnavailable is non-zero';
    yield invalidPrinted(child(own, 'maxSurge'), goIntOrString(rolling.maxSurge), detail);
  } else if (!unavailable && !surge) {
    yield required(child(own, 'maxUnavailable'), 'cannot be 0 when maxSurge is 0');
  }
}

function unknownStrategy(path: string, printed: string, supported: readonly string[]) {
  const list = supported.map((one) => JSON.stringify(one)).join(', ');
  return { type: 'NotSupported', field: path, detail: `${printed}: supported values: ${list}` } as const;
}

function* retention(path: string, value: JsonValue | undefined): Errors {
  if (!isThere(value)) return;
  for (const field of ['whenDeleted', 'whenScaled']) {
    const policy = textOf(objectAt(value)[field]);
    if (policy !== 'Retain' && policy !== 'Delete') {
      yield notSupported(child(path, field), policy, ['Retain', 'Delete']);
    }
  }
}
