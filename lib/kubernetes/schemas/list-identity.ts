import { isJsonObject, type JsonValue } from '../../json/index.ts';

/** Returns a text that is equal for two JSON values if and only if they are equal. */
export function identityOf(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(identityOf).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${identityOf(value[name] ?? null)}`).join(',')}}`;
}

/** Returns the positions of second occurrences. Later occurrences are not reported again. */
export function duplicatePositions(values: readonly JsonValue[]): number[] {
  const times = new Map<string, number>();
  return values.flatMap((value, at) => {
    const identity = identityOf(value);
    const before = times.get(identity) ?? 0;
    times.set(identity, before + 1);
    return before === 1 ? [at] : [];
  });
}
