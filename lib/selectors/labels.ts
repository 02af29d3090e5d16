/** The labels of one object. The keys come from outside: only own properties count. */
export type Labels = Readonly<Record<string, string>>;

/** What a selector can be matched against: a Map, what has a Map's `get` from its class, or a record. */
export type LabelSet = ReadonlyMap<string, string> | Labels;

/** The value of one label, or undefined where the object does not carry it. */
export function readLabel(labels: LabelSet, key: string): string | undefined {
  return isMap(labels) ? labels.get(key) : readRecord(labels, key);
}

/** Asks whose property it is only where it is no string, as what every object inherits is none: that takes longer. */
export function readRecord(labels: Labels, key: string): string | undefined {
  const value = labels[key];
  if (value === undefined) return undefined;
  return typeof value === 'string' || Object.hasOwn(labels, key) ? value : undefined;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Most records are told by their prototype. A label called `get` holds a string, so a function of that name is a Map's. */
export function isMap(labels: LabelSet): labels is ReadonlyMap<string, string> {
  if (labels instanceof Map) return true;
  return Object.getPrototypeOf(labels) !== Object.prototype && typeof labels.get === 'function';
}
