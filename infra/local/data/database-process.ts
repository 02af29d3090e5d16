import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** The address of the embedded DynamoDB. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** The running database with the shell that supervises it, in their own process group. */
export interface DatabaseProcess {
  readonly address: Address;
  /** Resolves when the database has ended, with the cause: `exit code 1`, `SIGKILL`. */
  readonly ended: Promise<string>;
  /** Kills it without a shutdown, because all acknowledged writes are on disk. */
  kill(): Promise<void>;
}

const START_WITHIN = 10_000;
const ATTEMPTS = 3;

/**
 * Picks an address that web pages cannot guess, because the embedded DynamoDB answers every page: it checks no `Host`
 * and allows all origins. Linux has all of 127.0.0.0/8 on loopback: 2^24 addresses with 28,000 ports each. Other
 * systems have only 127.0.0.1, where a page must guess just the port.
 */
async function unguessableAddress(): Promise<Address> {
  const isWide = process.platform === 'linux' || process.platform === 'win32';
  const host = isWide ? `127.${randomInt(1, 255)}.${randomInt(0, 256)}.${randomInt(1, 255)}` : '127.0.0.1';
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { host, port: address.port };
}

/** Starts the database at a free address. If another process takes the port first, it tries another address. */
export async function startAnywhere(binary: string, file: string): Promise<DatabaseProcess> {
  let failure: unknown;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    try {
      return await startAt(await unguessableAddress(), binary, file);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

/**
 * Starts the database at an address.
 *
 * @throws {Error} it did not start; the message holds its output.
 */
export async function startAt(address: Address, binary: string, file: string): Promise<DatabaseProcess> {
  const { host, port } = address;
  const child = spawnBound(binary, ['--host', host, '--port', String(port), '--db-path', file]);
  const closed = once(child, 'close');
  closed.catch(() => {});
  const kill = async () => {
    killGroup(child);
    // `close` is emitted when all processes of the group have closed the pipe, so the file is free after it.
    if (child.pid !== undefined) await closed;
  };
  const { promise: ended, resolve } = Promise.withResolvers<string>();
  child.once('exit', (code, signal) => {
    // Kill the rest of the group: the database, if only the shell was killed, and the process that reads the pipe.
    killGroup(child);
    resolve(signal ?? (code !== null && code > 128 ? `signal ${code - 128}` : `exit code ${code}`));
  });
  try {
    await untilListening(child, ended);
    return { address, ended, kill };
  } catch (error) {
    await kill();
    throw error;
  }
}

/**
 * The shell ends when the database ends. The database ends when this process ends, in any way: the pipe then closes,
 * and the shell process that reads it kills the database. Only this user can read its files, because they hold
 * Secrets.
 */
const SCRIPT = `umask 077
exec 3<&0
"$0" "$@" </dev/null 3<&- &
child=$!
{ cat >/dev/null; kill -KILL $child; } <&3 2>/dev/null &
watcher=$!
exec 3<&-
wait $child
code=$?
kill $watcher 2>/dev/null
exit $code`;

function spawnBound(binary: string, args: readonly string[]): ChildProcess {
  const stdio = ['pipe', 'ignore', 'pipe'] as const;
  return spawn('/bin/sh', ['-c', SCRIPT, binary, ...args], { detached: true, stdio: [...stdio] });
}

async function untilListening(child: ChildProcess, ended: Promise<string>): Promise<void> {
  let said = '';
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const fail = () => reject(new Error(`the embedded DynamoDB did not start: ${said.trim()}`));
  const timer = setTimeout(fail, START_WITHIN);
  child.once('error', reject);
  void ended.then(fail);
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-2_000);
    if (said.includes('listening on')) {
      resolve();
    } else if (/error:? *\S|in use|panicked/i.test(said)) fail();
  });
  await promise.finally(() => clearTimeout(timer));
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // ESRCH: the group has ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
