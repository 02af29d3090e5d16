import { beforeAll, describe, expect, it } from '@jest/globals';
import { prepared } from '../../fuzz/fuzz.ts';
import { KIB } from '../../fuzz/fuzz-request.ts';
import type { FuzzedApi } from '../../fuzz/fuzzed-api.ts';
import { sendMutated } from '../../fuzz/send-mutated.ts';
import { SHAPES } from '../../fuzz/shapes/index.ts';
import { seeded } from '../../support/watch/memory-world.ts';

/** The first seed, and the number of damaged requests. */
const FIRST = 1_000;
const REQUESTS = 300;

describe('a hostile request', () => {
  let api: FuzzedApi;
  beforeAll(async () => {
    api = await prepared(SHAPES);
  });

  it.each(SHAPES.map((shape) => [shape.name, shape] as const))(
    'a request of the shape "%s" is answered without a 5xx',
    async (_name, shape) => {
      const { status, body } = await api.send(shape.make(Math.min(shape.most, 8 * KIB), seeded(1)));
      expect({ status, body: status < 500 ? '' : body }).toEqual({ status: expect.any(Number), body: '' });
    },
  );

  it(`a damaged request gives no 5xx and, if refused, changes nothing: seeds ${FIRST} to ${FIRST + REQUESTS - 1}`, async () => {
    for (let seed = FIRST; seed < FIRST + REQUESTS; seed += 1) {
      const { fault } = await sendMutated(api, SHAPES, seed);
      expect({ seed, fault }).toEqual({ seed, fault: undefined });
    }
  });

  it('a seed always gives the same request', async () => {
    const outcomes = await Promise.all(
      [await prepared(SHAPES), await prepared(SHAPES)].map(async (own) => {
        const { shape, status } = await sendMutated(own, SHAPES, FIRST);
        return { shape, status };
      }),
    );
    expect(outcomes[0]).toEqual(outcomes[1]);
  });
});
