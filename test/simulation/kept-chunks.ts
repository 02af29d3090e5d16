import type { Row } from '../../lib/store/index.ts';
import { GC_TASK_SHARDS } from '../../lib/store/keys.ts';
import type { Violation } from './checks/index.ts';
import { EPOCH } from './world/clock.ts';
import type { World } from './world/world.ts';

/**
 * Checks the chunk rows of large bodies, once all is quiet:
 * - The body of each object is complete, and those of each journal entry that has not expired.
 * - Chunks that no object has are named by a GC task, which deletes them later.
 */
export function keptChunks({ table, scheduler }: World): Violation[] {
  const rows = table.rows.all();
  const young = rows.filter(
    ({ pk, ttl }) => pk.startsWith('journal#') && Number(ttl) * 1_000 > EPOCH + scheduler.now,
  );
  const tasks = Array.from({ length: GC_TASK_SHARDS }, (_, shard) => table.rows.partition(`looks#${shard}`));
  const owed = new Set(tasks.flat().map(({ chunks }) => chunks));
  const objects = rows.filter(({ pk }) => pk.startsWith('object#'));
  const had = new Set(objects.map(({ chunks }) => chunks));
  const incomplete = [...objects, ...young].filter((row) => lacks(table.rows.whole(row), row));
  const lost = rows
    .filter(({ pk }) => pk.startsWith('chunk#') && pk.endsWith('#0'))
    .map(({ pk, count }) => `${pk.slice('chunk#'.length, -'#0'.length)}/${count}`)
    .filter((ref) => !had.has(ref) && !owed.has(ref));
  return [
    ...violation(
      'a body lacks chunks',
      incomplete.map(({ pk, sk }) => `${pk} ${sk}`),
    ),
    ...violation('chunks stay for ever', lost),
  ];
}

function lacks(whole: Row, { pk, chunks, formerChunks }: Row): boolean {
  const isEntry = pk.startsWith('journal#');
  return (
    (chunks !== undefined && whole.body === undefined) ||
    (isEntry && formerChunks !== undefined && whole.former === undefined)
  );
}

function violation(message: string, evidence: readonly string[]): Violation[] {
  return evidence.length === 0 ? [] : [{ check: 'chunks', message, evidence: [...evidence] }];
}
