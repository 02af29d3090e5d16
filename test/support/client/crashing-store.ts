import type { ReplicaStore } from '../../../lib/client/index.ts';

/** The error of a process that crashed in an operation of its store. */
export class Crash extends Error {}

/**
 * A store whose process crashes in its operation number `at`, before or after it is done. Without a number it does
 * not crash.
 */
export function crashingStore(store: ReplicaStore, at: number | undefined, isDone: boolean): ReplicaStore {
  let operations = 0;
  const dying = async <Result>(operate: () => Promise<Result>): Promise<Result> => {
    operations += 1;
    if (at === undefined || operations < at) return operate();
    // A crashed process sends nothing any more.
    if (operations === at && isDone) await operate();
    throw new Crash();
  };
  return {
    readPosition: () => dying(() => store.readPosition()),
    writePosition: (position) => dying(() => store.writePosition(position)),
    read: (generation, key) => dying(() => store.read(generation, key)),
    put: (generation, entry) => dying(() => store.put(generation, entry)),
    drop: (generation) => dying(() => store.drop(generation)),
    async *entries(generation) {
      await dying(async () => {});
      yield* store.entries(generation);
    },
  };
}
