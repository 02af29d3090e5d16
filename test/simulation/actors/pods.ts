import { createHash } from 'node:crypto';
import { type Collection, type JsonObject, metadataOf, objectAt } from '../../../lib/json/index.ts';
import { type FieldSelector, parseFieldSelector, parseSelector } from '../../../lib/selectors/index.ts';
import type { Filter } from '../../../lib/store/index.ts';
import { nameKey, type ObjectState, parseNameKey } from '../../../lib/store/index.ts';
import type { Asked, Operation, Snapshot } from '../history.ts';

export const PODS: Collection = 'core/pods';

/** What a client writes: labels, a selectable field, and a token that tells this write from every other. */
export type Written = NonNullable<Operation['wrote']>;

export interface Identity {
  /** `namespace/name`. */
  readonly object: string;
  readonly uid: string;
}

export function podOf({ object, uid }: Identity, { labels, phase, token }: Written): JsonObject {
  const metadata = { ...parseNameKey(object), uid, labels: { ...labels } };
  return { apiVersion: 'v1', kind: 'Pod', metadata, spec: { token, ...filling(token) }, status: { phase } };
}

/** The token of a write whose object takes so many more bytes, which do not compress. */
export function sizedToken(token: string, bytes: number): string {
  return `${token}@${bytes}`;
}

function filling(token: string): JsonObject {
  const [, bytes] = token.split('@');
  if (bytes === undefined) return {};
  const hash = createHash('shake256', { outputLength: Number(bytes) });
  return { filling: hash.update(token).digest('base64') };
}

/** The state as a client sees it. */
export function snapshotOf(state: ObjectState): Snapshot {
  return {
    object: nameKey(state.name),
    uid: state.uid,
    rv: state.rv,
    labels: state.labels,
    phase: String(objectAt(state.body.status).phase),
    token: String(objectAt(state.body.spec).token),
  };
}

/** Reads a selectable field. */
export function readField(body: JsonObject, field: string): string | undefined {
  const { name, namespace } = metadataOf(body);
  switch (field) {
    case 'metadata.name':
      return String(name);
    case 'metadata.namespace':
      return String(namespace);
    case 'status.phase':
      return String(objectAt(body.status).phase);
    default:
      return undefined;
  }
}

/** The filter that the API makes of a client's selectors. */
export function filterOf({ namespace, labelSelector, fieldSelector }: Asked): Filter {
  const fields = parseFieldSelector(fieldSelector ?? '');
  return {
    ...(namespace === undefined ? {} : { namespace }),
    selector: parseSelector(labelSelector ?? ''),
    ...(fields.isEmpty ? {} : { matches: matcherOf(fields) }),
  };
}

function matcherOf(fields: FieldSelector): (object: ObjectState) => boolean {
  return (object) => fields.matches((field) => readField(object.body, field));
}
