import { describe, expect, it } from '@jest/globals';
import { measureSetAside, SET_ASIDE_EVERY } from '../../../lib/controllers/reconcile/index.ts';
import { type MetricName, silentLogger } from '../../../lib/platform/index.ts';

const URL_OF = (name: string) => `https://sqs.eu-west-1.amazonaws.com/111122223333/${name}`;
const MINUTE = 60_000;

/** One count in a minute, of queues with these attributes. */
async function counted(minute: number, queues: Readonly<Record<string, Record<string, string> | undefined>>) {
  const asked: string[] = [];
  const recorded: [MetricName, number][] = [];
  const logged: unknown[] = [];
  await measureSetAside({
    urls: Object.keys(queues).map(URL_OF),
    queues: {
      attributes: async (url) => {
        const name = url.slice(url.lastIndexOf('/') + 1);
        asked.push(name);
        return queues[name];
      },
    },
    clock: { now: () => minute * MINUTE },
    logger: { ...silentLogger, error: (_message, data) => logged.push(data) },
    metrics: { record: (metric, value) => recorded.push([metric, value]) },
  });
  return { asked, recorded, logged };
}

const holding = (visible: number, received = 0) => ({
  ApproximateNumberOfMessages: String(visible),
  ApproximateNumberOfMessagesNotVisible: String(received),
});

describe('measureSetAside', () => {
  it('messages that were set aside are counted, and their queues named', async () => {
    const { recorded, logged } = await counted(SET_ASIDE_EVERY, {
      empty: holding(0),
      dead: holding(2),
      looked: holding(0, 1),
    });
    expect(recorded).toEqual([['SetAsideMessages', 3]]);
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
    const { asked, recorded, logged } = await counted(0, { empty: holding(0), gone: undefined });
    expect([asked, recorded, logged]).toEqual([['empty', 'gone'], [], []]);
  });

  it('the queues are asked only every five minutes', async () => {
    const minutes = Array.from({ length: 10 }, (_, minute) => minute);
    const asking = await Promise.all(
      minutes.map(async (minute) => (await counted(minute, { dead: holding(1) })).asked.length),
    );
    expect(asking).toEqual([1, 0, 0, 0, 0, 1, 0, 0, 0, 0]);
  });
});
