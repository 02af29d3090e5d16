import { isJsonObject, type JsonObject, objectAt } from '../../../json/index.ts';
import type { ObjectState } from '../../../store/index.ts';

/** The items of a LimitRange. Each has a type: `Container`, `Pod` or `PersistentVolumeClaim`. */
export function limitItems({ body }: ObjectState): JsonObject[] {
  const { limits } = objectAt(body.spec ?? {});
  return Array.isArray(limits) ? limits.filter(isJsonObject) : [];
}
