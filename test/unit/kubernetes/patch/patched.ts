import { expect } from '@jest/globals';
import type { JsonObject } from '../../../../lib/json/index.ts';
import { loadFields } from '../../../../lib/kubernetes/fields/index.ts';
import { applyPatch } from '../../../../lib/kubernetes/patch/index.ts';

const FIELDS = await loadFields();

export interface Patched {
  readonly apiVersion: string;
  readonly kind: string;
  readonly builtin: boolean;
}

export const POD: Patched = { apiVersion: 'v1', kind: 'Pod', builtin: true };
export const WIDGET: Patched = { apiVersion: 'example.com/v1', kind: 'Widget', builtin: false };

interface PatchedOptions {
  contentType: string;
  /** Any JSON value. */
  patch: unknown;
  target: JsonObject;
  type?: Patched;
}

/** Calls `applyPatch` with a deeply frozen target, and checks that the target did not change. */
export function patched({ contentType, patch, target, type = POD }: PatchedOptions): JsonObject {
  const before = JSON.stringify(target);
  const bytes = new TextEncoder().encode(JSON.stringify(patch));
  const message = FIELDS.kind(type.apiVersion, type.kind);
  try {
    return applyPatch({ contentType, patch: bytes, target: freeze(target), type, message });
  } finally {
    expect(JSON.stringify(target)).toBe(before);
  }
}

/** Returns the error that `act` throws. */
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
