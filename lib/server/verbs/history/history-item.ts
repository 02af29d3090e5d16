import {
  type JsonObject,
  type JsonValue,
  jsonPatchBetween,
  metadataOf,
  objectAt,
} from '../../../json/index.ts';
import { apiVersionOf, type ResourceType } from '../../../kubernetes/resource-types/index.ts';
import { type ObjectState, toObject } from '../../../store/index.ts';
import type { Show } from '../../registry/index.ts';
import { HISTORY_TYPE } from './history-type.ts';
import type { SeenChange } from './seen-change.ts';

/** The annotation in which `kubectl` and operators say why they change an object. */
const CAUSE = 'kubernetes.io/change-cause';

/** How the changes of a type are shown. */
export interface Showing {
  readonly type: ResourceType;
  readonly show: Show;
  /** Whether to include both states. */
  readonly states: boolean;
}

export type HistoryType = 'Created' | 'Updated' | 'Deleted' | 'Entered' | 'Changed' | 'Left';

export interface ItemFacts {
  readonly type: HistoryType;
  /** The resourceVersion of the item before; 0 if there is none. */
  readonly previous: number;
}

/** A change as an object of the kind History. */
export function historyItem(seen: SeenChange, { type, previous }: ItemFacts, showing: Showing): JsonObject {
  const { change, isPartial } = seen;
  const before = seen.before && showing.show(seen.before);
  const after = seen.after && showing.show(seen.after);
  const { namespace, name } = change.name;
  const place = { ...(namespace !== '' && { namespace }), name };
  const cause = isPartial ? undefined : causeOf(before, after);
  return {
    apiVersion: apiVersionOf(HISTORY_TYPE),
    kind: HISTORY_TYPE.kind,
    metadata: place,
    resourceVersion: String(change.rv),
    ...(previous > 0 && { previousResourceVersion: String(previous) }),
    time: new Date(change.time).toISOString(),
    type,
    ...(!isPartial && whoMade(seen)),
    ...(cause !== undefined && { cause }),
    object: {
      apiVersion: apiVersionOf(showing.type),
      kind: showing.type.kind,
      resource: showing.type.resource,
      ...place,
      uid: (after ?? before)?.uid ?? '',
    },
    patch: patchOf(before, after),
    ...(showing.states && {
      ...(before !== undefined && { before: toObject(before) }),
      ...(after !== undefined && { after: toObject(after) }),
    }),
  };
}

function whoMade({ change: { user, manager, auditID } }: SeenChange): JsonObject {
  return {
    ...(user !== undefined && { user }),
    ...(manager !== undefined && { manager }),
    ...(auditID !== undefined && { auditID }),
  };
}

/** The cause after the change, if the change set it. */
function causeOf(before: ObjectState | undefined, after: ObjectState | undefined): string | undefined {
  const [was, is] = [before, after].map(
    (state) => objectAt(metadataOf(state?.body ?? {}).annotations)[CAUSE],
  );
  return typeof is === 'string' && is !== was ? is : undefined;
}

/** The patch of a change. That of a create adds the whole object, and that of a delete removes it. */
function patchOf(before: ObjectState | undefined, after: ObjectState | undefined): JsonValue {
  if (after === undefined) return [{ op: 'remove', path: '' }];
  if (before === undefined) return [{ op: 'add', path: '', value: plain(after) }];
  return jsonPatchBetween(plain(before), plain(after)) as unknown as JsonValue;
}

/** The object without managedFields and resourceVersion, which are in no patch. */
function plain({ body }: ObjectState): JsonObject {
  const { managedFields: _managed, ...metadata } = metadataOf(body);
  return { ...body, metadata };
}
