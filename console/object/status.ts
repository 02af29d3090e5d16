import type { KubeObject } from '../what-if/index.ts';

/** A condition of an object. */
export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  /** RFC 3339. */
  readonly since: string | undefined;
}

/** Reads the conditions of an object, in their order. */
export function conditionsOf({ status }: KubeObject): readonly Condition[] {
  const { conditions } = (status ?? {}) as { conditions?: unknown };
  if (!Array.isArray(conditions)) return [];
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  return conditions.map((one: Readonly<Record<string, unknown>>) => ({
    type: text(one.type),
    status: text(one.status),
    reason: text(one.reason),
    message: text(one.message),
    since: text(one.lastTransitionTime) || undefined,
  }));
}

/** The plain values of an object's status, in their order. */
export function statusFields({ status }: KubeObject): readonly (readonly [string, string])[] {
  return Object.entries(status ?? {}).flatMap(([name, value]) => {
    const isPlain = ['string', 'number', 'boolean'].includes(typeof value);
    return isPlain && value !== '' ? [[name, String(value)] as const] : [];
  });
}

/** The address of a link; undefined for a text that is no `https:` address. */
export function linkOf(text: string): string | undefined {
  if (!/^https:\/\/\S+$/.test(text)) return undefined;
  return URL.canParse(text) ? text : undefined;
}
