import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The last handled record of each shard of a stream. On AWS, Lambda stores it for an event source mapping. */
export interface Checkpoint {
  get(shard: string): string | undefined;
  set(shard: string, sequenceNumber: string): void;
}

/** Opens the checkpoint in the table's folder, or in memory if there is no folder. */
export function openCheckpoint(dataDirectory: string | undefined): Checkpoint {
  const file = dataDirectory && join(dataDirectory, 'stream-position.json');
  const positions = new Map<string, string>(file ? read(file) : []);
  return {
    get: (shard) => positions.get(shard),
    set: (shard, sequenceNumber) => {
      positions.set(shard, sequenceNumber);
      if (file) write(file, positions);
    },
  };
}

function read(file: string): [string, string][] {
  try {
    return Object.entries(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // The file is missing or damaged: read the stream from its beginning, which only repeats hints.
    return [];
  }
}

function write(file: string, positions: ReadonlyMap<string, string>): void {
  writeFileSync(`${file}.new`, JSON.stringify(Object.fromEntries(positions)));
  renameSync(`${file}.new`, file);
}
