import { expect, it } from '@jest/globals';
import { TornLife } from '../../support/watch/torn-life.ts';

const SEEDS = Number(process.env.WINNOW_TORN_COPIES ?? 2);
const FIRST = Number(process.env.WINNOW_TORN_FROM ?? 1);

it.each(Array.from({ length: SEEDS }, (_, at) => FIRST + at))(
  'a randomly inconsistent copy is correct after a restore that is killed many times: seed %i',
  async (seed) => {
    expect(await new TornLife(seed).run(40)).toEqual([]);
  },
);
