import { GC_TASK_SHARDS } from '../../lib/store/keys.ts';
import type { Violation } from './checks/index.ts';
import type { World } from './world/world.ts';

/**
 * Checks the chunk rows of large bodies, once all is quiet:
 * - The body of each object is complete.
 * - Chunks that no object has are named by a GC task, which deletes them later.
 */
export function keptChunks({ table }: World): Violation[] {
  const rows = table.rows.all();
  const tasks = Array.from({ length: GC_TASK_SHARDS }, (_, shard) => table.rows.partition(`looks#${shard}`));
  const owed = new Set(tasks.flat().map(({ chunks }) => chunks));
  const objects = rows.filter(({ pk }) => pk.startsWith('object#'));
  const had = new Set(objects.map(({ chunks }) => chunks));
  const incomplete = objects.filter(
    (row) => row.chunks !== undefined && table.rows.whole(row).body === undefined,
  );
  const lost = rows
    .filter(({ pk }) => pk.startsWith('chunk#') && pk.endsWith('#0'))
    .map(({ pk, count }) => `${pk.slice('chunk#'.length, -'#0'.length)}/${count}`)
    .filter((ref) => !had.has(ref) && !owed.has(ref));
  return [
    ...violation(
      'the body of an object lacks chunks',
      incomplete.map(({ pk, sk }) => `${pk} ${sk}`),
    ),
    ...violation('chunks stay for ever', lost),
  ];
}

function violation(message: string, evidence: readonly string[]): Violation[] {
  return evidence.length === 0 ? [] : [{ check: 'chunks', message, evidence: [...evidence] }];
}
