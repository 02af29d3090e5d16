import { constants, zstdCompressSync } from 'node:zlib';
import { COMPACT_FORM } from '../../placement/index.ts';
import { type Clock, type Logger, mapBounded, type Random } from '../../platform/index.ts';
import type { CachedWorld } from '../../server/index.ts';
import type { Condition, Table } from '../../store/index.ts';
import type { SnapshotPolicy } from './snapshot-policy.ts';
import { chunkRow, headerRow, readHeader, type SnapshotHeader } from './snapshot-rows.ts';
import type { WorldRecords } from './world-records.ts';

export interface KeepOptions {
  readonly table: Table;
  readonly clock: Pick<Clock, 'now'>;
  readonly random: Pick<Random, 'uuid'>;
  readonly logger: Pick<Logger, 'warn'>;
  /** The epoch of the lease that is held. */
  readonly epoch: number;
}

/** The records to store, and the resourceVersions that they include. */
export interface ToldRecords extends Pick<CachedWorld<unknown>, 'upTo'> {
  readonly records: WorldRecords;
}

const PUTS_AT_ONCE = 4;
/** The Zstandard level: the output is a third smaller than at the default level, and as fast. */
const LEVEL = 9;
/** In ms: the pause before another try where a snapshot could not be stored. */
const PAUSE = 60_000;
/** The most bytes of a chunk. DynamoDB's limit is 400 KB a row. */
const MOST_BYTES = 380_000;
/** Characters: chunks this short hold a single object and cannot be divided further. */
const SHORTEST = 1_024;

/** Stores the world when it is due, under the binder's lease. Keep one per process. */
export class WorldSnapshots {
  readonly #policy: SnapshotPolicy;
  /** The newest header that this process wrote or read. */
  #last: SnapshotHeader | undefined;
  #notBefore = 0;

  constructor(policy: SnapshotPolicy) {
    this.#policy = policy;
  }

  /** When a snapshot is due even if nothing changes, in ms since the epoch; undefined where there is none yet. */
  get due(): number | undefined {
    return this.#last && Math.max(this.#notBefore, this.#last.written + this.#policy.renewal);
  }

  /** Stores the world if that is due. A failure is harmless: a process without a stored world reads the objects. */
  async keepWhenDue(options: KeepOptions, told: ToldRecords): Promise<void> {
    const { logger, clock, table } = options;
    if (clock.now() < this.#notBefore || !this.#isDue(told, clock.now())) return;
    this.#notBefore = clock.now() + PAUSE;
    try {
      this.#last = await readHeader(table);
      if (!this.#isDue(told, clock.now())) return;
      this.#last = await keep(options, told, this.#policy);
    } catch (error) {
      logger.warn('a snapshot of the world could not be stored', { error });
    }
  }

  #isDue({ upTo, records }: ToldRecords, now: number): boolean {
    const { leastObjects, changes, renewal } = this.#policy;
    if (records.size < leastObjects) return false;
    const last = this.#last;
    if (last === undefined || last.form !== COMPACT_FORM || now >= last.written + renewal) return true;
    return [...upTo].some(([collection, rv]) => rv - (last.upTo.get(collection) ?? 0) >= changes);
  }
}

/** Stores all chunks, and then the header that makes them valid. No reader sees an incomplete snapshot. */
async function keep(
  { table, clock, random, epoch }: KeepOptions,
  { upTo, records }: ToldRecords,
  { chunk, renewal }: SnapshotPolicy,
): Promise<SnapshotHeader | undefined> {
  const chunks = chunksOf(records, chunk);
  const header: SnapshotHeader = {
    id: random.uuid(),
    form: COMPACT_FORM,
    upTo: new Map(upTo),
    chunks: chunks.length,
    written: clock.now(),
    epoch,
  };
  await mapBounded([...chunks.entries()], PUTS_AT_ONCE, async ([at, data]) => {
    await table.put(chunkRow(header, at, data));
  });
  // A process that lost the lease may have an older world than the one that is stored.
  const condition: Condition = [
    {
      any: [
        { missing: 'epoch' },
        { attribute: 'epoch', is: '<', value: epoch + 1 },
        { attribute: 'written', is: '<', value: header.written - renewal },
      ],
    },
  ];
  const { outcome } = await table.put(headerRow(header), condition);
  return outcome === 'done' ? header : readHeader(table);
}

/** The compressed chunks. @throws {Error} one object exceeds the size of a row */
function chunksOf(records: WorldRecords, length: number): readonly Uint8Array[] {
  const chunks = Array.from(records.chunks(length), compressed);
  if (chunks.every(({ byteLength }) => byteLength <= MOST_BYTES)) return chunks;
  if (length < SHORTEST) throw new Error('an object is too large for a row of a snapshot');
  return chunksOf(records, length / 2);
}

function compressed(text: string): Uint8Array {
  return zstdCompressSync(text, { params: { [constants.ZSTD_c_compressionLevel]: LEVEL } });
}
