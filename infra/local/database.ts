import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** The embedded DynamoDB. */
export interface Database {
  readonly endpoint: string;
  /** To be called once the tables exist. */
  tune(): void;
  stop(): Promise<void>;
}

export interface DatabaseOptions {
  /** Where the table is kept; without it in a temporary directory that goes with the database. */
  readonly dataDirectory?: string | undefined;
}

const START_WITHIN = 10_000;
const ATTEMPTS = 3;

/**
 * Starts the embedded DynamoDB on a free port of loopback. Where there is no binary for the platform it uses
 * `AWS_ENDPOINT_URL_DYNAMODB`, and rejects if that is not set either.
 */
export async function startDatabase({ dataDirectory }: DatabaseOptions): Promise<Database> {
  const binary = findBinary();
  if (!binary) return externalDatabase(process.env.AWS_ENDPOINT_URL_DYNAMODB);
  const directory = dataDirectory ?? (await mkdtemp(join(tmpdir(), 'winnow-')));
  await mkdir(directory, { recursive: true });
  const file = join(directory, 'table.sqlite');
  const { child, endpoint } = await launch(binary, file);
  return {
    endpoint,
    tune: () => indexStreamRecords(file),
    stop: async () => {
      await end(child);
      if (!dataDirectory) await rm(directory, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** The embedded DynamoDB's program, undefined where there is none for the platform. */
export function findBinary(): string | undefined {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  try {
    const manifest = createRequire(import.meta.url).resolve('@dynoxide/linux-x64/package.json');
    return join(dirname(manifest), 'dynoxide');
  } catch {
    return undefined;
  }
}

function externalDatabase(endpoint: string | undefined): Database {
  if (!endpoint) {
    throw new Error(
      `The embedded DynamoDB is a binary for Linux on x64 (here: ${process.platform} on ${process.arch}). ` +
        'Start a DynamoDB emulator of your own and name it in AWS_ENDPOINT_URL_DYNAMODB, for example ' +
        'AWS_ENDPOINT_URL_DYNAMODB=http://127.0.0.1:8000',
    );
  }
  return { endpoint, tune: () => {}, stop: async () => {} };
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
 * our pipe, which closes with us, and then kills it.
 */
function spawnBound(binary: string, args: readonly string[]): ChildProcess {
  const script = '"$0" "$@" & child=$!; cat >/dev/null; kill -KILL $child';
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
    if (said.includes('listening on')) resolve();
    else if (/error|in use|panicked/i.test(said)) fail();
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
