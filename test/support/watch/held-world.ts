import { expect } from '@jest/globals';
import { createMemoryWorld, type MemoryWorld } from './memory-world.ts';
import type { Outside } from './watch-world.ts';

export interface HeldWorld extends MemoryWorld {
  /** Expects `work` not to end before the call that is held was let. */
  expectToWait(work: Promise<unknown>): Promise<void>;
  /** From now on calls are held for which this holds, by `table.<method>` or `queues.<method>` and their request. */
  hold(holds: (call: string, request: readonly unknown[]) => boolean): void;
}

/** A world in which one call of what dispatch and reconcile reach waits until it is let. */
export async function createHeldWorld(): Promise<HeldWorld> {
  let holds: (call: string, request: readonly unknown[]) => boolean = () => false;
  const gate = Promise.withResolvers<void>();
  let isHeld = false;
  const around = <Target extends object>(kind: string, target: Target): Target =>
    new Proxy(target, {
      get: (_, property) => {
        const method: unknown = Reflect.get(target, property);
        if (typeof method !== 'function') return method;
        return async (...request: unknown[]) => {
          if (holds(`${kind}.${String(property)}`, request)) {
            isHeld = true;
            await gate.promise;
          }
          return method(...request);
        };
      },
    });
  const reach = (_: unknown, { table, queues }: Outside): Outside => ({
    table: around('table', table),
    queues: around('queues', queues),
  });
  const memory = await createMemoryWorld(1, { reach });
  return {
    ...memory,
    hold(wanted) {
      holds = wanted;
    },
    async expectToWait(work) {
      let ended = false;
      const ending = work.finally(() => {
        ended = true;
      });
      ending.catch(() => {});
      for (let turn = 0; turn < 500 && !(isHeld && turn > 200); turn += 1) {
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect({ isHeld, ended }).toEqual({ isHeld: true, ended: false });
      gate.resolve();
      await ending;
    },
  };
}
