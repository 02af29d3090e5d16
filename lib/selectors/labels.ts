/** The labels of one object. The keys come from clients: only own properties count. */
export type Labels = Readonly<Record<string, string>>;

/** The labels that a selector can be matched against: a Map, an object whose class has a Map's `get`, or a record. */
export type LabelSet = ReadonlyMap<string, string> | Labels;

/** The value of one label; undefined where the object lacks it. */
export function readLabel(labels: LabelSet, key: string): string | undefined {
  return isMap(labels) ? labels.get(key) : readRecord(labels, key);
}

/**
 * The value of one label in a record. It checks for an own property only where the value is not a string, because
 * that check is slow. No inherited property of objects is a string.
 */
export function readRecord(labels: Labels, key: string): string | undefined {
  const value = labels[key];
  if (value === undefined) return undefined;
  return typeof value === 'string' || Object.hasOwn(labels, key) ? value : undefined;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Whether labels are a Map. Most records are recognized by their prototype. A label called `get` holds a string, so a
 * function of that name is a Map's.
 */
export function isMap(labels: LabelSet): labels is ReadonlyMap<string, string> {
  if (labels instanceof Map) return true;
  return Object.getPrototypeOf(labels) !== Object.prototype && typeof labels.get === 'function';
}
