import type { Type } from '../types.ts';

const SHORT: Partial<Record<Type['kind'], string>> = {
  duration: 'duration',
  error: '!error!',
  null: 'null',
  timestamp: 'timestamp',
};

/** Returns a type as messages name it: `list(string)`, `timestamp`, `optional_type(int)`. */
export function formatType({ kind, name, parameters }: Type): string {
  if (parameters.length === 0) return SHORT[kind] ?? name;
  return `${name}(${parameters.map(formatType).join(', ')})`;
}

/** Returns the types of a call's operands: `string.(int)` with a receiver, `(string, int)` without. */
export function formatOperands(types: readonly Type[], isMember: boolean): string {
  const formatted = types.map(formatType);
  const target = isMember ? `${formatted.shift() ?? ''}.` : '';
  return `${target}(${formatted.join(', ')})`;
}
