import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type DataFolder, openDataFolder } from './data-folder.ts';
import { findBinary, whereToGetOne } from './database-binary.ts';
import { keepRunning } from './kept-running.ts';

/** The embedded DynamoDB. */
export interface Database {
  readonly endpoint: string;
  /** The locked folder of its table; undefined for a DynamoDB that Winnow did not start. */
  readonly folder?: DataFolder;
  /** Resolves to the cause if the embedded database cannot be restarted. Never resolves for another DynamoDB. */
  readonly lost: Promise<Error>;
  /** Speeds up writes. Call it once the table exists. */
  tune(): void;
  stop(): Promise<void>;
}

export interface DatabaseOptions {
  /** The folder of the table; default: a temporary folder that is deleted when the database stops. */
  readonly dataDirectory?: string | undefined;
  /** Called after a restart, with the cause of the end. */
  readonly onRestart?: ((how: string) => void) | undefined;
}

const FILE = 'table.sqlite';

/**
 * Starts the embedded DynamoDB on loopback, at an address that web pages cannot guess, and restarts it there whenever
 * it ends. If `AWS_ENDPOINT_URL_DYNAMODB` is set, that DynamoDB is used instead.
 *
 * @throws {Error} the platform has no binary, or the folder cannot be used; the message says what to do.
 */
export async function startDatabase({ dataDirectory, onRestart }: DatabaseOptions): Promise<Database> {
  const given = process.env.AWS_ENDPOINT_URL_DYNAMODB;
  if (given && dataDirectory) {
    throw new Error(
      'a data folder needs the embedded DynamoDB, but AWS_ENDPOINT_URL_DYNAMODB names another one',
    );
  }
  if (given) return { endpoint: given, lost: new Promise(() => {}), tune: () => {}, stop: async () => {} };
  const binary = findBinary();
  if (!binary) throw new Error(whereToGetOne());
  const folder = openDataFolder(dataDirectory ?? (await mkdtemp(join(tmpdir(), 'winnow-'))));
  const file = join(folder.path, FILE);
  const leave = async () => {
    folder.release();
    if (!dataDirectory) await rm(folder.path, { recursive: true, force: true, maxRetries: 3 });
  };
  try {
    await keepPrivate(folder.path);
    const { endpoint, lost, stop: end } = await keepRunning({ binary, file, onRestart });
    const stop = () => end().then(leave);
    return { endpoint, folder, lost, tune: () => indexStreamRecords(file), stop };
  } catch (error) {
    await leave();
    throw error;
  }
}

/**
 * Makes existing files private, because older releases created files that other users can read. SQLite adds files with
 * the same prefix.
 */
async function keepPrivate(folder: string): Promise<void> {
  const kept = (await readdir(folder)).filter((name) => name.startsWith(FILE));
  for (const name of kept) await chmod(join(folder, name), 0o600);
}

/**
 * Adds an index to the embedded database. Without it, the database scans all records of the table to compute the next
 * sequence number of the stream, and writes get slower: 90 ms each after 2,500 writes. With the index a write takes
 * about 5 ms. The index needs a file, so the database always has one.
 */
function indexStreamRecords(file: string): void {
  const database = new DatabaseSync(file, { timeout: 5_000 });
  try {
    database.exec(
      'CREATE INDEX IF NOT EXISTS winnow_stream_records ' +
        'ON _stream_records(table_name, CAST(sequence_number AS INTEGER))',
    );
  } finally {
    database.close();
  }
}
