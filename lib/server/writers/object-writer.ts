import { type Collection, type JsonObject, metadataOf } from '../../json/index.ts';
import { apiVersionOf } from '../../kubernetes/resource-types/index.ts';
import type { Clock, Random } from '../../platform/index.ts';
import type { Mutation, ObjectState, Store } from '../../store/index.ts';
import {
  namespaceNotFound,
  newObject,
  nextState,
  readNamespace,
  refuseTerminating,
  removalOf,
  spelledMutation,
  trackFields,
  typedState,
} from '../objects/index.ts';
import { notFound } from '../status/index.ts';
import { type Target, targetOf } from './target-of.ts';

export interface ObjectWriterOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  /** The manager in managedFields. */
  readonly manager: string;
  /** The deadline of a write. */
  deadline(): AbortSignal;
  /** Called after each commit with its resourceVersion. */
  announce(collection: Collection, rv: number): Promise<void>;
}

/**
 * Writes namespaced objects as POST, PUT and DELETE do. The same rules apply, managedFields names this writer, and a
 * write is refused if the object has been replaced or changed. Quotas are not checked. Each method rejects if nothing
 * was written.
 */
export interface ObjectWriter {
  /** Returns false if an object of that name already exists. */
  create(collection: Collection, object: JsonObject): Promise<boolean>;
  replace(collection: Collection, object: JsonObject): Promise<void>;
  /** Does nothing if the object no longer exists, or if another one has its name. */
  remove(collection: Collection, object: JsonObject): Promise<void>;
}

export function objectWriter(options: ObjectWriterOptions): ObjectWriter {
  const { store, clock, random, manager, deadline, announce } = options;
  const write = async (
    { collection, name }: Pick<Target, 'collection' | 'name'>,
    change: (current: ObjectState | undefined) => Promise<Mutation>,
  ) => {
    const { kind, after } = await store.within(deadline()).write(collection, name, change);
    if (kind !== 'none' && after !== undefined) await announce(collection, after.rv);
  };
  return {
    create: async (collection, object) => {
      const target = targetOf(collection, object);
      const { type, name } = target;
      const route = { type, verb: 'create', subresource: '', ...name } as const;
      const tracking = await trackFields({ route, manager, clock });
      const sent = await tracking.created({ apiVersion: apiVersionOf(type), kind: type.kind, ...object });
      const body = await newObject({ type, sent, clock, random });
      let isThere = false;
      await write(target, async (current) => {
        isThere = current !== undefined;
        if (isThere) return { kind: 'none' };
        const namespace = await readNamespace(store, name.namespace);
        if (namespace === undefined) throw namespaceNotFound(name.namespace);
        refuseTerminating(namespace, type, name);
        return spelledMutation(type, { kind: 'put', body });
      });
      return !isThere;
    },
    replace: async (collection, object) => {
      const target = targetOf(collection, object);
      const { type, name } = target;
      const route = { type, verb: 'update', subresource: '', ...name } as const;
      const tracking = await trackFields({ route, manager, clock });
      await write(target, async (current) => {
        if (current === undefined) throw notFound(type, name.name);
        const state = await typedState(type, current);
        const next = await nextState(route, state, object);
        return spelledMutation(type, tracking.changed(state, next, object));
      });
    },
    remove: async (collection, object) => {
      const target = targetOf(collection, object);
      const { uid, resourceVersion } = metadataOf(object);
      await write(target, async (current) => {
        if (current === undefined || current.uid !== uid) return { kind: 'none' };
        if (String(current.rv) !== resourceVersion) throw new Error(`${target.name.name} has been modified`);
        return removalOf(current.body, { collection, clock });
      });
    },
  };
}
