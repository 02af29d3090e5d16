import { isJsonObject, type JsonObject, type JsonValue, valueAt } from '../../../json/index.ts';

/**
 * The fields of metric sources: their names in autoscaling/v1, in the order of its Go types, and their paths in
 * autoscaling/v2. `#` stands for `target` in a spec and `current` in a status.
 * k8s.io/kubernetes/pkg/apis/autoscaling/v1/conversion.go
 */
const SOURCES: Readonly<Record<string, readonly (readonly [one: string, two: string])[]>> = {
  object: [
    ['target', 'describedObject'],
    ['metricName', 'metric.name'],
    ['#Value', '#.value'],
    ['selector', 'metric.selector'],
    ['averageValue', '#.averageValue'],
  ],
  pods: [
    ['metricName', 'metric.name'],
    ['#AverageValue', '#.averageValue'],
    ['selector', 'metric.selector'],
  ],
  resource: [
    ['name', 'name'],
    ['#AverageUtilization', '#.averageUtilization'],
    ['#AverageValue', '#.averageValue'],
  ],
  containerResource: [
    ['name', 'name'],
    ['#AverageUtilization', '#.averageUtilization'],
    ['#AverageValue', '#.averageValue'],
    ['container', 'container'],
  ],
  external: [
    ['metricName', 'metric.name'],
    ['metricSelector', 'metric.selector'],
    ['#Value', '#.value'],
    ['#AverageValue', '#.averageValue'],
  ],
};

/** Whether values are the target of a metric or its current state. */
export type Side = 'target' | 'current';

/** Converts a metric of autoscaling/v2 to the form in an annotation of autoscaling/v1. */
export function metricToOne(metric: JsonValue, side: Side): JsonObject {
  return eachSource(metric, (source, fields) => {
    const there = fields.flatMap(([one, two]) => {
      const value = valueAt(source, two.replace('#', side));
      return value === undefined || value === null ? [] : [[one.replace('#', side), value]];
    });
    return Object.fromEntries(there);
  });
}

/** Converts a metric from the annotation of autoscaling/v1 to autoscaling/v2. */
export function metricToTwo(metric: JsonValue, side: Side): JsonObject {
  return eachSource(metric, (source, fields) => {
    const made: JsonObject = {};
    for (const [one, two] of fields) {
      const value = source[one.replace('#', side)];
      if (value !== undefined) place(made, two.replace('#', side).split('.'), value);
    }
    return side === 'target' ? { ...made, target: typed(made.target) } : made;
  });
}

type Fields = readonly (readonly [one: string, two: string])[];

function eachSource(
  metric: JsonValue,
  convert: (source: JsonObject, fields: Fields) => JsonObject,
): JsonObject {
  if (!isJsonObject(metric)) return {};
  const entries = Object.entries(metric).map(([name, source]) => {
    const fields = SOURCES[name];
    return [name, fields !== undefined && isJsonObject(source) ? convert(source, fields) : source];
  });
  return Object.fromEntries(entries);
}

/** Adds the type of a target, which names the value that counts. */
function typed(target: JsonValue | undefined): JsonObject {
  const given = isJsonObject(target) ? target : {};
  if (given.averageUtilization !== undefined) return { type: 'Utilization', ...given };
  return { type: given.averageValue === undefined ? 'Value' : 'AverageValue', ...given };
}

function place(object: JsonObject, [name = '', ...path]: readonly string[], value: JsonValue): void {
  if (path.length === 0) {
    object[name] = value;
    return;
  }
  const inner = object[name];
  const below = isJsonObject(inner) ? inner : {};
  object[name] = below;
  place(below, path, value);
}
