import { isJsonObject, type JsonObject, objectAt } from '../../../json/index.ts';
import type { ObjectState } from '../../../store/index.ts';

/** What a LimitRange says of one type of things: `Container`, `Pod`, `PersistentVolumeClaim`. */
export function limitItems({ body }: ObjectState): JsonObject[] {
  const { limits } = objectAt(body.spec ?? {});
  return Array.isArray(limits) ? limits.filter(isJsonObject) : [];
}
