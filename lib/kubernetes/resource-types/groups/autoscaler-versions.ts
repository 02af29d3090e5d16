import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/index.ts';
import { listAt, objectAt, textAt } from '../json-path.ts';
import { metricToOne, metricToTwo } from './autoscaler-metrics.ts';

const PREFIX = 'autoscaling.alpha.kubernetes.io/';
/** The annotations in which autoscaling/v1 stores what it has no fields for. */
const METRICS = `${PREFIX}metrics`;
const CURRENT = `${PREFIX}current-metrics`;
const BEHAVIOR = `${PREFIX}behavior`;
const CONDITIONS = `${PREFIX}conditions`;
const KEPT: readonly string[] = [METRICS, CURRENT, BEHAVIOR, CONDITIONS];

const USUAL_UTILIZATION = 80;

/** Converts a HorizontalPodAutoscaler from autoscaling/v1 to autoscaling/v2. */
export function encode(one: JsonObject): JsonObject {
  const { targetCPUUtilizationPercentage: target, ...spec } = objectAt(one, 'spec');
  const { currentCPUUtilizationPercentage: current, ...status } = objectAt(one, 'status');
  const annotations = objectAt(one, 'metadata.annotations');
  const others = listIn(annotations[METRICS])?.map((metric) => metricToTwo(metric, 'target')) ?? [];
  const metrics = [...others, ...(typeof target === 'number' ? [cpuTarget(target)] : [])];
  const behavior = parsed(annotations[BEHAVIOR]);
  const currentMetrics =
    listIn(annotations[CURRENT])?.map((metric) => metricToTwo(metric, 'current')) ??
    (typeof current === 'number' ? [cpu({ current: { averageUtilization: current } })] : undefined);
  const conditions = listIn(annotations[CONDITIONS]);
  return {
    ...one,
    apiVersion: 'autoscaling/v2',
    metadata: withAnnotations(one, {}),
    spec: {
      ...spec,
      metrics: metrics.length === 0 ? [cpuTarget(USUAL_UTILIZATION)] : metrics,
      ...(isJsonObject(behavior) && { behavior: behaviorOf(behavior) }),
    },
    status: {
      ...status,
      ...(currentMetrics !== undefined && { currentMetrics }),
      ...(conditions !== undefined && { conditions }),
    },
  };
}

/** Converts a HorizontalPodAutoscaler from autoscaling/v2 to autoscaling/v1. */
export function decode(two: JsonObject): JsonObject {
  const { metrics: _metrics, behavior, ...spec } = objectAt(two, 'spec');
  const { currentMetrics: _current, conditions: _conditions, ...status } = objectAt(two, 'status');
  const target = listAt(two, 'spec.metrics').find(isCpuTarget);
  const others = listAt(two, 'spec.metrics').filter((metric) => !isCpuTarget(metric));
  const measured = listAt(two, 'status.currentMetrics');
  const current = measured.find((metric) => isCpu(metric, 'current'));
  const conditions = listAt(two, 'status.conditions');
  const kept = {
    ...(behavior !== undefined && { [BEHAVIOR]: behaviorText(behavior) }),
    ...(conditions.length > 0 && { [CONDITIONS]: JSON.stringify(conditions) }),
    ...(measured.length > 0 && {
      [CURRENT]: JSON.stringify(measured.map((one) => metricToOne(one, 'current'))),
    }),
    ...(others.length > 0 && { [METRICS]: JSON.stringify(others.map((one) => metricToOne(one, 'target'))) }),
  };
  return {
    ...two,
    apiVersion: 'autoscaling/v1',
    metadata: withAnnotations(two, kept),
    spec: { ...spec, ...percentage('targetCPUUtilizationPercentage', target, 'target') },
    status: { ...status, ...percentage('currentCPUUtilizationPercentage', current, 'current') },
  };
}

function withAnnotations(object: JsonObject, kept: Readonly<Record<string, string>>): JsonObject {
  const { annotations: _annotations, ...metadata } = objectAt(object, 'metadata');
  const own = Object.entries(objectAt(object, 'metadata.annotations')).filter(
    ([name]) => !KEPT.includes(name),
  );
  const annotations = { ...Object.fromEntries(own), ...kept };
  return Object.keys(annotations).length === 0 ? metadata : { ...metadata, annotations };
}

function percentage(name: string, metric: JsonValue | undefined, side: 'target' | 'current'): JsonObject {
  const { averageUtilization } = objectAt(metric, `resource.${side}`);
  return typeof averageUtilization === 'number' ? { [name]: averageUtilization } : {};
}

function cpu(source: JsonObject): JsonObject {
  return { type: 'Resource', resource: { name: 'cpu', ...source } };
}

function cpuTarget(averageUtilization: number): JsonObject {
  return cpu({ target: { type: 'Utilization', averageUtilization } });
}

function isCpuTarget(metric: JsonValue): boolean {
  return isCpu(metric, 'target');
}

/** Whether autoscaling/v1 has a field for a metric. */
function isCpu(metric: JsonValue, side: 'target' | 'current'): boolean {
  const isResource = textAt(metric, 'type') === 'Resource' && textAt(metric, 'resource.name') === 'cpu';
  return isResource && objectAt(metric, `resource.${side}`).averageUtilization !== undefined;
}

/** The fields of scaling rules and policies. Go's internal type has the same names, capitalized. */
const RULES = ['stabilizationWindowSeconds', 'selectPolicy', 'policies', 'tolerance'];
const POLICIES = ['type', 'value', 'periodSeconds'];

/** Formats a behavior as upstream does: its internal type, with Go's field names and including nil fields. */
function behaviorText(behavior: JsonValue): string {
  const rules = ['scaleUp', 'scaleDown'].map((name) => [
    capital(name),
    internalRules(objectAt(behavior, name)),
  ]);
  return JSON.stringify(Object.fromEntries(rules));
}

function internalRules(rules: JsonObject): JsonObject {
  const policies = listAt(rules, 'policies').map((policy) => internal(asObject(policy), POLICIES));
  return { ...internal(rules, RULES), Policies: policies };
}

function internal(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [capital(name), object[name] ?? null]));
}

/** Parses a behavior in that form. Null counts as absent. */
function behaviorOf(internalBehavior: JsonObject): JsonObject {
  const rules = ['scaleUp', 'scaleDown'].flatMap((name) => {
    const own = internalBehavior[capital(name)];
    if (!isJsonObject(own)) return [];
    const policies = listAt(own, 'Policies').map((policy) => external(asObject(policy), POLICIES));
    return [[name, { ...external(own, RULES), policies }]];
  });
  return Object.fromEntries(rules);
}

function external(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = object[capital(name)] ?? null;
      return value === null ? [] : [[name, value]];
    }),
  );
}

function capital(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** Returns the list in an annotation. Any other value is ignored, as upstream does. */
function listIn(text: JsonValue | undefined): JsonValue[] | undefined {
  const value = parsed(text);
  return Array.isArray(value) ? value : undefined;
}

function parsed(text: JsonValue | undefined): JsonValue | undefined {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

function asObject(value: JsonValue): JsonObject {
  return isJsonObject(value) ? value : {};
}
