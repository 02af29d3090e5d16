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
  /** The folder that it keeps its table in, locked; undefined where it is none of ours. */
  readonly folder?: DataFolder;
  /** Resolves to what went wrong when the embedded one is gone for good; never where it is none of ours. */
  readonly lost: Promise<Error>;
  /** To be called once the tables exist. */
  tune(): void;
  stop(): Promise<void>;
}

export interface DatabaseOptions {
  /** Where the table is kept; without it in a temporary directory that goes with the database. */
  readonly dataDirectory?: string | undefined;
  /** Hears how the embedded one ended, when it was started again. */
  readonly onRestart?: ((how: string) => void) | undefined;
}

const FILE = 'table.sqlite';

/**
 * Starts the embedded DynamoDB on loopback, at an address that no web page can guess, and starts it again there whenever
 * it ends by itself. Where `AWS_ENDPOINT_URL_DYNAMODB` names another one, that is used, and nothing is started.
 *
 * @throws {Error} what is to be done where there is no binary for the platform, or the folder cannot be used.
 */
export async function startDatabase({ dataDirectory, onRestart }: DatabaseOptions): Promise<Database> {
  const given = process.env.AWS_ENDPOINT_URL_DYNAMODB;
  if (given && dataDirectory) {
    throw new Error(
      'a data folder is for the embedded DynamoDB, and AWS_ENDPOINT_URL_DYNAMODB names another one',
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

/** What an older release kept there others could read. SQLite has files beside the one, whose names begin with its own. */
async function keepPrivate(folder: string): Promise<void> {
  const kept = (await readdir(folder)).filter((name) => name.startsWith(FILE));
  for (const name of kept) await chmod(join(folder, name), 0o600);
}

/**
 * The database computes each stream record's sequence number by scanning all records of the table, so writes
 * get slower with every write: 90 ms each after 2,500 of them. This index makes it a lookup and keeps a write
 * at about 5 ms. It needs a file, which is why the database always has one.
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
