import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type RealWorld, startRealWorld } from '../support/watch/real-world.ts';

let real: RealWorld;

beforeEach(async () => {
  real = await startRealWorld();
});

afterEach(() => real.stop());

/** These tests are separate from those of the watch, because ElasticMQ, which runs those too, stores no policies. */
describe('the consumers in the policy of a queue', () => {
  it('consumers are in the policy of the queue, and edits change it', async () => {
    const { world } = real;
    const role = (name: string) => `arn:aws:iam::444455556666:role/${name}`;
    const letIn = async () => {
      const { Policy = '' } = (await world.queues.attributes(await world.queueOf('web'))) ?? {};
      const [plain, ...others]: { Effect: string; Principal: { AWS: string[] } }[] =
        JSON.parse(Policy).Statement;
      expect(plain).toMatchObject({
        Effect: 'Deny',
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      });
      return others.flatMap(({ Principal }) => Principal.AWS);
    };
    await world.subscribe('web', { consumers: [role('a')] });
    await world.pump();
    expect(await letIn()).toEqual([role('a')]);
    await world.edit('web', { consumers: [role('a'), role('b')] });
    await world.pump();
    expect(await letIn()).toEqual([role('a'), role('b')]);
    await world.edit('web', { consumers: [] });
    await world.pump();
    expect(await letIn()).toEqual([]);
    expect(world.errors).toEqual([]);
  });

  it('a queue that was created before its URL was stored gets the current policy', async () => {
    const { world } = real;
    const maker = { attributes: { FifoQueue: 'true', Policy: '{"Statement":[]}' }, tags: {} };
    const name = 'made-before.fifo';
    const url = await world.queues.create(name, maker);
    const Policy = '{"Statement":[{"Sid":"WinnowRefusesPlainText"}]}';
    const again = { attributes: { ...maker.attributes, Policy }, tags: {} };
    expect(await world.queues.create(name, again)).toBe(url);
    expect(await world.queues.attributes(url)).toMatchObject({ Policy });
  });
});
