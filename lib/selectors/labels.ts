/** The labels of one object. The keys come from outside: only own properties count. */
export type Labels = Readonly<Record<string, string>>;

/** What a selector can be matched against. */
export type LabelSet = ReadonlyMap<string, string> | Labels;

/** The value of one label, or undefined where the object does not carry it. */
export function readLabel(labels: LabelSet, key: string): string | undefined {
  return isMap(labels) ? labels.get(key) : readRecord(labels, key);
}

export function readRecord(labels: Labels, key: string): string | undefined {
  return Object.hasOwn(labels, key) ? labels[key] : undefined;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A label called `get` holds a string, so a function of that name is a Map's. */
export function isMap(labels: LabelSet): labels is ReadonlyMap<string, string> {
  return labels instanceof Map || typeof labels.get === 'function';
}
