import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type DataFolder, openDataFolder } from './data-folder.ts';
import { findBinary, whereToGetOne } from './database-binary.ts';

/** The embedded DynamoDB. */
export interface Database {
  readonly endpoint: string;
  /** The folder that it keeps its table in, locked; undefined where it is none of ours. */
  readonly folder?: DataFolder;
  /** To be called once the tables exist. */
  tune(): void;
  stop(): Promise<void>;
}

export interface DatabaseOptions {
  /** Where the table is kept; without it in a temporary directory that goes with the database. */
  readonly dataDirectory?: string | undefined;
}

const FILE = 'table.sqlite';
const START_WITHIN = 10_000;
const ATTEMPTS = 3;

/**
 * Starts the embedded DynamoDB on a free port of loopback. Where `AWS_ENDPOINT_URL_DYNAMODB` names another one, that
 * is used, and nothing is started.
 *
 * @throws {Error} what is to be done where there is no binary for the platform, or the folder cannot be used.
 */
export async function startDatabase({ dataDirectory }: DatabaseOptions): Promise<Database> {
  const given = process.env.AWS_ENDPOINT_URL_DYNAMODB;
  if (given && dataDirectory) {
    throw new Error(
      'a data folder is for the embedded DynamoDB, and AWS_ENDPOINT_URL_DYNAMODB names another one',
    );
  }
  if (given) return { endpoint: given, tune: () => {}, stop: async () => {} };
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
    const { child, endpoint } = await launch(binary, file);
    const stop = () => end(child).then(leave);
    return { endpoint, folder, tune: () => indexStreamRecords(file), stop };
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

/** Another process may take the free port first; then the database says so and another port is tried. */
async function launch(binary: string, file: string): Promise<{ child: ChildProcess; endpoint: string }> {
  let failure: unknown;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = await freePort();
    const child = spawnBound(binary, ['--host', '127.0.0.1', '--port', String(port), '--db-path', file]);
    try {
      await untilListening(child);
      return { child, endpoint: `http://127.0.0.1:${port}` };
    } catch (error) {
      await end(child);
      failure = error;
    }
  }
  throw failure;
}

/**
 * A child in a process group of its own that ends when this process does, however it ends: the shell reads
 * our pipe, which closes with us, and then kills it. Its files are for this user alone: Secrets are in them.
 */
function spawnBound(binary: string, args: readonly string[]): ChildProcess {
  const script = 'umask 077; "$0" "$@" & child=$!; cat >/dev/null; kill -KILL $child';
  return spawn('/bin/sh', ['-c', script, binary, ...args], {
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
}

async function untilListening(child: ChildProcess): Promise<void> {
  let said = '';
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const fail = () => reject(new Error(`the embedded DynamoDB does not start: ${said.trim()}`));
  const timer = setTimeout(fail, START_WITHIN);
  child.once('error', reject);
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-2_000);
    if (said.includes('listening on')) {
      resolve();
    } else if (/error:? *\S|in use|panicked/i.test(said)) fail();
  });
  await promise.finally(() => clearTimeout(timer));
}

/** Abrupt on purpose: what was answered is on disk, and there is nothing else to save. */
async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  // `close` waits until both processes have let go of the pipe, so the file is free afterwards.
  const closed = once(child, 'close');
  process.kill(-child.pid, 'SIGKILL');
  await closed;
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

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
