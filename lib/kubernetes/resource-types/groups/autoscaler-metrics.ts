import { isJsonObject, type JsonObject, type JsonValue, valueAt } from '../../../json/index.ts';

/**
 * What the sources of metrics hold, by their name in autoscaling/v1, in the order of its Go types, and where
 * autoscaling/v2 has it. `#` is `target` in a spec, and `current` in a status.
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

/** What is wanted of a metric, or what it is. */
export type Side = 'target' | 'current';

/** A metric of autoscaling/v2 as autoscaling/v1 keeps it in an annotation. */
export function metricToOne(metric: JsonValue, side: Side): JsonObject {
  return eachSource(metric, (source, fields) => {
    const there = fields.flatMap(([one, two]) => {
      const value = valueAt(source, two.replace('#', side));
      return value === undefined || value === null ? [] : [[one.replace('#', side), value]];
    });
    return Object.fromEntries(there);
  });
}

/** And back. */
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

/** A target says which of its values counts. */
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
