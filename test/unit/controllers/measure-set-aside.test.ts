import { describe, expect, it } from '@jest/globals';
import { SET_ASIDE_EVERY, setAsideMeter } from '../../../lib/controllers/reconcile/index.ts';
import { type MetricName, silentLogger } from '../../../lib/platform/index.ts';

const URL_OF = (name: string) => `https://sqs.eu-west-1.amazonaws.com/111122223333/${name}`;
const MINUTE = 60_000;

type Attributes = Readonly<Record<string, Record<string, string> | undefined>>;

/** A meter of queues with these attributes, in a process whose clock a test moves. */
function createMeter(queues: Attributes) {
  let minute = 100;
  const asked: string[] = [];
  const recorded: [MetricName, number][] = [];
  const logged: unknown[] = [];
  const measure = setAsideMeter({
    urls: Object.keys(queues).map(URL_OF),
    queues: {
      attributes: async (url) => {
        const name = url.slice(url.lastIndexOf('/') + 1);
        asked.push(name);
        return queues[name];
      },
    },
    // A minute goes by between two looks.
    clock: {
      now: () => {
        minute += 1;
        return minute * MINUTE;
      },
    },
    logger: { ...silentLogger, error: (_message, data) => logged.push(data) },
    metrics: { record: (metric, value) => recorded.push([metric, value]) },
  });
  return { measure, asked, recorded, logged };
}

/** One count of queues with these attributes. */
async function counted(queues: Attributes) {
  const { measure, ...noted } = createMeter(queues);
  return { ...noted, isNone: await measure() };
}

const holding = (visible: number, received = 0) => ({
  ApproximateNumberOfMessages: String(visible),
  ApproximateNumberOfMessagesNotVisible: String(received),
});

describe('The meter of messages that were set aside', () => {
  it('messages that were set aside are counted, and their queues named', async () => {
    const { recorded, logged, isNone } = await counted({
      empty: holding(0),
      dead: holding(2),
      looked: holding(0, 1),
    });
    expect(recorded).toEqual([['SetAsideMessages', 3]]);
    expect(isNone).toBe(false);
    expect(logged).toEqual([
      {
        queues: [
          { queue: 'dead', messages: 2 },
          { queue: 'looked', messages: 1 },
        ],
      },
    ]);
  });

  it('nothing is recorded if every queue is empty or gone', async () => {
    const { asked, recorded, logged, isNone } = await counted({ empty: holding(0), gone: undefined });
    expect([asked, recorded, logged]).toEqual([['empty', 'gone'], [], []]);
    expect(isNone).toBe(true);
  });

  it('A process asks the queues in its first minute, and then every five minutes', async () => {
    const { measure, asked } = createMeter({ dead: holding(1) });
    const counts: number[] = [];
    for (let minute = 0; minute < 10; minute += 1) {
      expect(await measure()).toBe(false);
      counts.push(asked.length);
    }
    expect(counts).toEqual([1, 1, 1, 1, 1, 2, 2, 2, 2, 2]);
  });

  it('A queue that was empty and has a message now is found by the next count', async () => {
    const queues: Record<string, Record<string, string>> = { dead: holding(0) };
    const { measure } = createMeter(queues);
    expect(await measure()).toBe(true);
    queues.dead = holding(1);
    const found = [];
    for (let minute = 0; minute < SET_ASIDE_EVERY; minute += 1) found.push(await measure());
    expect(found).toEqual([true, true, true, true, false]);
  });
});
