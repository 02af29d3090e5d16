import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** How far each shard of a stream has been handled. Lambda keeps this for an event source mapping. */
export interface Checkpoint {
  get(shard: string): string | undefined;
  set(shard: string, sequenceNumber: string): void;
}

/** Kept beside the table, or in memory where the table does not stay either. */
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
    // Absent or torn: the stream is read from its beginning, which only repeats hints.
    return [];
  }
}

function write(file: string, positions: ReadonlyMap<string, string>): void {
  writeFileSync(`${file}.new`, JSON.stringify(Object.fromEntries(positions)));
  renameSync(`${file}.new`, file);
}
