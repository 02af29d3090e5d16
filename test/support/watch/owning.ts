import type { Collection, JsonObject } from '../../../lib/json/index.ts';
import type { ObjectState } from '../../../lib/store/index.ts';
import type { MemoryWorld } from './memory-world.ts';
import { metadataOf, nameOf, PODS } from './watch-world.ts';

export const SETS: Collection = 'apps/replicasets';

export interface Owned {
  readonly collection?: Collection;
  readonly blocks?: boolean;
  readonly metadata?: JsonObject;
}

/** Owners and dependents in a world: ReplicaSets and Pods, unless something else is said. */
export class Owning {
  readonly #memory: MemoryWorld;

  constructor(memory: MemoryWorld) {
    this.#memory = memory;
  }

  /** Makes an object, named `<namespace>/<name>`. Answers what a reference to it says. */
  async owner(name: string, { collection = SETS, metadata = {} }: Owned = {}): Promise<JsonObject> {
    await this.#memory.world.put(name, {}, { metadata }, collection);
    return this.reference(name, collection);
  }

  /** What a reference to an object says, whoever it is by now. */
  async reference(name: string, collection: Collection = SETS): Promise<JsonObject> {
    const [apiVersion, kind] = KINDS[collection] ?? ['v1', 'ConfigMap'];
    const uid = (await this.state(name, collection))?.uid ?? '';
    return { apiVersion, kind, name: nameOf(name).name, uid };
  }

  /** Makes or changes an object that names these owners and no others. */
  async dependent(name: string, owners: readonly JsonObject[], owned: Owned = {}): Promise<void> {
    const { collection = PODS, blocks, metadata = {} } = owned;
    const ownerReferences = owners.map((owner) =>
      blocks === undefined ? owner : { ...owner, blockOwnerDeletion: blocks },
    );
    await this.#memory.world.put(name, {}, { metadata: { ...metadata, ownerReferences } }, collection);
  }

  /** Marks an object as the API does for a DELETE with one of these policies. */
  async mark(name: string, finalizer: string, collection = SETS): Promise<void> {
    await this.#memory.world.write(collection, nameOf(name), (current) => {
      const { finalizers = [], ...metadata } = metadataOf(current);
      const held = [...(Array.isArray(finalizers) ? finalizers : []), finalizer];
      const deletionTimestamp = '2026-01-01T00:00:00Z';
      return { ...current?.body, metadata: { ...metadata, finalizers: held, deletionTimestamp } };
    });
  }

  state(name: string, collection: Collection = PODS): Promise<ObjectState | undefined> {
    return this.#memory.world.store.get(collection, nameOf(name));
  }

  /** The uids that an object names as its owners; undefined where it is not there. */
  async ownersOf(name: string, collection: Collection = PODS): Promise<unknown[] | undefined> {
    const state = await this.state(name, collection);
    if (state === undefined) return undefined;
    const { ownerReferences = [] } = metadataOf(state);
    return Array.isArray(ownerReferences) ? ownerReferences.map((one) => Object(one).uid) : [];
  }

  /** Looks that are owed still, and rows of owners. */
  async rows(...partitions: readonly string[]): Promise<string[]> {
    const { table } = this.#memory.world;
    const pages = await Promise.all(
      partitions.map((partition) => table.query({ partition, from: '!', to: '~' })),
    );
    return pages.flatMap(({ rows }) => rows.map(({ pk, sk }) => `${pk} ${sk}`));
  }

  owed(): Promise<string[]> {
    return this.rows('looks#0', 'looks#1', 'looks#2', 'looks#3');
  }
}

const KINDS: Readonly<Record<string, readonly [apiVersion: string, kind: string]>> = {
  [SETS]: ['apps/v1', 'ReplicaSet'],
  [PODS]: ['v1', 'Pod'],
  'core/nodes': ['v1', 'Node'],
  'core/namespaces': ['v1', 'Namespace'],
};
