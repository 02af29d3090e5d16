import { type JsonObject, metadataOf } from '../../../json/index.ts';
import { protectionOf } from '../../../kubernetes/lifecycle/index.ts';
import type { TypeRules } from './rules.ts';

type Protected = Parameters<typeof protectionOf>[0];

/** The rules of a collection whose new objects get a finalizer, which keeps them while other objects use them. */
export function protectedRules(collection: Protected, more: TypeRules = {}): TypeRules {
  const finalizer = protectionOf(collection);
  return {
    ...more,
    prepare: async (given, old, subresource) => {
      const body = (await more.prepare?.(given, old, subresource)) ?? given;
      return old === undefined && finalizer !== undefined ? withFinalizer(body, finalizer) : body;
    },
  };
}

function withFinalizer(body: JsonObject, finalizer: string): JsonObject {
  const { finalizers, ...metadata } = metadataOf(body);
  const own = Array.isArray(finalizers) ? finalizers : [];
  if (own.includes(finalizer)) return body;
  return { ...body, metadata: { ...metadata, finalizers: [...own, finalizer] } };
}
