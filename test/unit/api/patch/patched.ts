import { expect } from '@jest/globals';
import { applyPatch, type PatchType } from '../../../../lib/api/patch/index.ts';
import type { JsonObject } from '../../../../lib/store/index.ts';

export const POD: PatchType = { group: '', kind: 'Pod', builtin: true, resource: 'pods' };
export const WIDGET: PatchType = {
  group: 'example.com',
  kind: 'Widget',
  builtin: false,
  resource: 'widgets',
};

interface PatchedOptions {
  contentType: string;
  /** Any JSON value. */
  patch: unknown;
  target: JsonObject;
  type?: PatchType;
}

/** `applyPatch` on a deeply frozen target, which is the same afterwards. */
export function patched({ contentType, patch, target, type = POD }: PatchedOptions): JsonObject {
  const before = JSON.stringify(target);
  const bytes = new TextEncoder().encode(JSON.stringify(patch));
  try {
    return applyPatch({ contentType, patch: bytes, target: freeze(target), type });
  } finally {
    expect(JSON.stringify(target)).toBe(before);
  }
}

/** What `act` throws. */
export function caught(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freeze);
  return value;
}
