import type { Range } from '../world/chance.ts';
import { BAD_DAY, QUEUES, READER_DAYS, READERS } from './base.ts';
import { DAYS } from './pasts.ts';
import type { Scenario } from './scenario.ts';

/** Some bodies fit a row with the state before, some fit alone, and some are in chunk rows. */
const SIZES: { readonly bodies: Range; readonly mostRowBytes: number } = {
  bodies: [0, 2_500],
  mostRowBytes: 1_400,
};

/** Bodies that are too large for a row. */
export const CHUNK_SCENARIOS: readonly Scenario[] = [
  {
    ...READERS,
    ...SIZES,
    name: 'chunks',
    writes: 20,
    faults: { ...BAD_DAY, crash: 0.004, slowTransaction: 0.1, slowFor: [100, 3_000] },
    lasts: 12_000,
    calm: 20_000,
  },
  {
    ...READER_DAYS,
    ...SIZES,
    // Journal entries expire, and the collector deletes chunks.
    name: 'chunks-and-days',
    faults: { ...BAD_DAY, crash: 0.002 },
  },
  { ...QUEUES, ...SIZES, name: 'chunks-in-queues' },
  {
    ...DAYS,
    name: 'history-in-chunks',
    mostRowBytes: 120,
    // No gaps: one that no reader fills before the journal is compacted ends the history of the collection.
    faults: { ...DAYS.faults, lostAnswer: 0, lostRequest: 0, throttle: 0 },
  },
];
