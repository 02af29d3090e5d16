import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createMemoryStore, type Replica, type SqsRecord } from '../../../lib/client/index.ts';
import { crashingStore } from '../../support/client/crashing-store.ts';
import { happenings, Sender, type Sent } from '../../support/client/sender.ts';
import { listening } from '../../support/client/streams.ts';

const RUNS = Number(process.env.WINNOW_SEEDS ?? 150);

/** One process: how many messages it receives at once, where it crashes, and whether its deletions succeed. */
const life = fc.record({
  batch: fc.integer({ min: 1, max: 10 }),
  diesAt: fc.option(fc.integer({ min: 1, max: 30 }), { nil: undefined }),
  isDone: fc.boolean(),
  deletes: fc.boolean(),
});

it('A replica ends with the true set of a FIFO queue, wherever consumers crash and whichever messages repeat', async () => {
  const property = fc.asyncProperty(
    happenings,
    fc.array(life, { maxLength: 12 }),
    async (happened, lives) => {
      const { sent, set } = new Sender(happened);
      const store = createMemoryStore();
      const told: string[] = [];
      let left = sent.map((message, index) => recordOf(message, index, 'pods.fifo'));
      for (const { batch, diesAt, isDone, deletes } of lives) {
        const replica = listening(crashingStore(store, diesAt, isDone), told);
        const records = left.slice(0, batch);
        const failed = await replica.handle({ Records: records }).then(
          ({ batchItemFailures }) => batchItemFailures.map(({ itemIdentifier }) => itemIdentifier),
          () => records.map(({ messageId }) => messageId),
        );
        const stays = (record: SqsRecord) => !records.includes(record) || failed.includes(record.messageId);
        if (deletes) left = left.filter(stays);
      }
      const last = listening(store, told);
      expect(await last.handle({ Records: left })).toEqual({ batchItemFailures: [] });
      expect(await held(last)).toEqual(set);
      expect(foldOf(told)).toEqual(set);
    },
  );
  await fc.assert(property, { numRuns: RUNS });
});

it('A replica ends with the true set of a Standard queue, in any order and with any number of repeats', async () => {
  const property = fc.asyncProperty(happenings, fc.infiniteStream(fc.nat()), async (happened, chances) => {
    const { sent, set } = new Sender(happened);
    const records = sent.map((message, index) => recordOf(message, index, 'pods'));
    const shuffled = [...records, ...records]
      .map((record) => ({ record, at: chances.next().value ?? 0 }))
      .sort((one, other) => one.at - other.at)
      .map(({ record }) => record);
    const told: string[] = [];
    const replica = listening(createMemoryStore(), told);
    expect(await replica.handle({ Records: shuffled })).toEqual({ batchItemFailures: [] });
    expect(await held(replica)).toEqual(set);
    expect(foldOf(told)).toEqual(set);
  });
  await fc.assert(property, { numRuns: RUNS });
});

function recordOf({ edit, event }: Sent, index: number, queue: string): SqsRecord {
  return {
    messageId: String(index),
    body: JSON.stringify(event),
    eventSourceARN: `arn:aws:sqs:eu-central-1:111122223333:${queue}`,
    messageAttributes: { edit: { stringValue: String(edit) } },
  };
}

async function held(replica: Replica): Promise<Map<string, number>> {
  const set = new Map<string, number>();
  for await (const { metadata } of replica.values()) set.set(metadata.name, Number(metadata.resourceVersion));
  return set;
}

/** The set that the listener has in the end. */
function foldOf(told: readonly string[]): Map<string, number> {
  const set = new Map<string, number>();
  for (const [what, name = '', rv] of told.map((line) => line.split(' '))) {
    if (what === 'delete') set.delete(name);
    if (what === 'add' || what === 'update') set.set(name, Number(rv));
  }
  return set;
}
