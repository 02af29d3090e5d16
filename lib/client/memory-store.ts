import type { Position } from './position.ts';
import { type Entry, REMEMBERED, type ReplicaStore } from './store.ts';
import { isNewer } from './version.ts';

/**
 * Creates a store in memory. It is lost when the process ends; the next process begins with a new Subscription or a
 * LIST.
 */
export function createMemoryStore(now: () => number = Date.now): ReplicaStore {
  let stored: Position | undefined;
  const generations = new Map<number, Map<string, Entry>>();
  /** The time at which each object left the set, oldest first. */
  const left = new Map<Entry, { readonly generation: number; readonly at: number }>();

  const forgetLeft = () => {
    for (const [entry, { generation, at }] of left) {
      if (at > now() - REMEMBERED) return;
      left.delete(entry);
      const entries = generations.get(generation);
      if (entries?.get(entry.key) === entry) entries.delete(entry.key);
    }
  };

  return {
    readPosition: async () => stored,
    writePosition: async (position) => {
      if (position.revision !== (stored?.revision ?? 0) + 1) return false;
      stored = position;
      return true;
    },
    read: async (generation, key) => generations.get(generation)?.get(key),
    put: async (generation, entry) => {
      const entries = generations.get(generation) ?? new Map<string, Entry>();
      generations.set(generation, entries);
      const before = entries.get(entry.key);
      if (before !== undefined && !isNewer(entry.version, before.version)) return false;
      entries.set(entry.key, entry);
      forgetLeft();
      if (entry.object === undefined) left.set(entry, { generation, at: now() });
      return true;
    },
    async *entries(generation) {
      const entries = [...(generations.get(generation)?.values() ?? [])];
      yield* entries.sort((one, other) => (one.key < other.key ? -1 : 1));
    },
    drop: async (generation) => {
      generations.delete(generation);
      for (const [entry, where] of left) if (where.generation === generation) left.delete(entry);
    },
  };
}
