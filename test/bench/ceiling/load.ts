import { createHash } from 'node:crypto';
import { collectionOf, type JsonObject, type ObjectName } from '../../../lib/json/index.ts';
import type { Labels } from '../../../lib/selectors/index.ts';
import type { Mutation, ObjectState, Store } from '../../../lib/store/index.ts';
import type { Chance } from '../../simulation/world/chance.ts';

export const COLLECTION = collectionOf('', 'pods');

/** The objects that exist before a load begins. */
export const OBJECTS = 500;

const LABELS: Labels = { app: 'web', tier: 'front', env: 'prod', team: 'a' };

/** Writes of one kind, one after the other. */
export interface Load {
  readonly what: string;
  /** Sends the write of a number. */
  write(store: Store, count: number, chance: Chance): Promise<unknown>;
}

/** The loads of objects whose rows have so many bytes that do not compress. */
export function loadsOf(bytes: number): readonly Load[] {
  const change = (count: number, of: (body: JsonObject) => JsonObject) => (store: Store) =>
    store.write(COLLECTION, nameOf(count % OBJECTS), (current) => changed(current, of));
  return [
    {
      what: 'create, 4 labels',
      write: (store, count, chance) => create(store, `n${chance.below(2 ** 31)}-${count}`, bytes),
    },
    {
      what: 'status',
      write: (store, count) =>
        change(count, (body) => ({ ...body, status: { count, message: noise(bytes, count) } }))(store),
    },
    {
      what: 'relabel, 1 of 4 values',
      write: (store, count) =>
        change(count, (body) => relabelled(body, { ...LABELS, env: `e${count % 7}` }))(store),
    },
  ];
}

/** Creates the objects that the loads change. */
export async function fill(store: Store, bytes: number): Promise<void> {
  for (let count = 0; count < OBJECTS; count += 1) await create(store, nameOf(count).name, bytes);
}

function create(store: Store, name: string, bytes: number): Promise<unknown> {
  const metadata = { name, namespace: 'default', uid: `uid-${name}`, labels: { ...LABELS } };
  const body = { apiVersion: 'v1', kind: 'Pod', metadata, status: { message: noise(bytes, 0) } };
  return store.write(COLLECTION, { namespace: 'default', name }, () => ({ kind: 'put', body }));
}

function changed(current: ObjectState | undefined, of: (body: JsonObject) => JsonObject): Mutation {
  return current === undefined ? { kind: 'none' } : { kind: 'put', body: of(current.body) };
}

function relabelled(body: JsonObject, labels: Labels): JsonObject {
  return { ...body, metadata: { ...(body.metadata as JsonObject), labels: { ...labels } } };
}

function nameOf(index: number): ObjectName {
  return { namespace: 'default', name: `pod-${index}` };
}

/** A text of which so many bytes stay when it is compressed. */
function noise(bytes: number, seed: number): string {
  return createHash('shake256', { outputLength: bytes }).update(String(seed)).digest('base64');
}
