import type { Collection, JsonObject, ObjectName } from '../../json/index.ts';
import type { ObjectState } from '../../store/index.ts';

/** An object that a write is about to store. */
export interface Put {
  readonly collection: Collection;
  readonly name: ObjectName;
  /** The stored object; undefined if there is none. */
  readonly current: ObjectState | undefined;
  readonly body: JsonObject;
}
