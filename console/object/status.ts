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

/** The texts of a ConfigMap by key. Of bytes, which Secrets have only, there is the number. */
export function dataOf({ kind, data, binaryData }: KubeObject): Readonly<Record<string, string>> {
  const entries = (map: unknown) => Object.entries((map ?? {}) as Record<string, string>);
  const bytes = (map: unknown) => entries(map).map(([key, text]) => [key, `${bytesIn(text)} bytes`]);
  return Object.fromEntries([...(kind === 'Secret' ? bytes(data) : entries(data)), ...bytes(binaryData)]);
}

/** The number of bytes that a text in base64 stands for. */
function bytesIn(base64: string): string {
  return Math.floor((base64.replace(/=+$/, '').length * 3) / 4).toLocaleString('en');
}

/** The address of a link; undefined for a text that is no `https:` address. */
export function linkOf(text: string): string | undefined {
  if (!/^https:\/\/\S+$/.test(text)) return undefined;
  return URL.canParse(text) ? text : undefined;
}
