import type { Mutation } from './mutation.ts';

const PLACES = 'lib/store/chunks/place-apart.ts';

/** Mechanisms of bodies in chunk rows. */
export const CHUNK_MUTATIONS: readonly Mutation[] = [
  {
    name: 'chunks-before-their-reference',
    mechanism: 'a write has put all chunk rows before its transaction references them',
    edits: [{ file: PLACES, find: 'await putChunks(', replace: 'void putChunks(' }],
    scenario: 'chunks',
  },
  {
    name: 'task-before-the-chunks',
    mechanism: 'a GC task is put before the chunk rows, so that those of a dead writer are deleted',
    edits: [
      {
        file: PLACES,
        find: 'await table.put(chunkTaskRow({ ...task(one.body.ref), stay }, due));',
        replace: '',
      },
    ],
    scenario: 'chunks',
  },
  {
    name: 'replaced-chunks-are-collected',
    mechanism: 'a write that replaces chunks puts a GC task for them in its transaction',
    edits: [
      {
        file: 'lib/store/write-plan.ts',
        find: '...(bodies.released?.(chunksDue(time, lifetime)) ?? []),',
        replace: '',
      },
    ],
    scenario: 'chunks-and-days',
  },
  {
    name: 'referenced-chunks-stay',
    mechanism: 'the collector deletes no chunks that the object has',
    edits: [
      {
        file: 'lib/store/chunks/chunk-task.ts',
        find: 'if (row?.chunks === task.chunks) return;',
        replace: '',
      },
    ],
    scenario: 'chunks-and-days',
  },
  {
    name: 'chunks-as-long-as-the-journal',
    mechanism: 'replaced chunks stay as long as a journal entry may reference them',
    edits: [
      {
        file: 'lib/store/write-plan.ts',
        find: 'bodies.released?.(chunksDue(time, lifetime))',
        replace: 'bodies.released?.(time)',
      },
    ],
    scenario: 'chunks-and-days',
  },
  {
    name: 'labels-before-the-change',
    mechanism: 'an entry whose bodies are in chunk rows has the labels of the state before',
    edits: [
      {
        file: 'lib/store/journal.ts',
        find: 'if (!this.relabels || this.repeats) return this.labels;',
        replace: 'if (!this.relabels || this.isApart) return this.labels;',
      },
    ],
    scenario: 'chunks',
  },
];
