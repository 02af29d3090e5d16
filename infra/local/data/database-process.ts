import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Where the embedded DynamoDB listens. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** The running program: a shell that watches over it, in a process group of their own. */
export interface DatabaseProcess {
  readonly address: Address;
  /** Resolves when it has ended, to how: `exit code 1`, `SIGKILL`. */
  readonly ended: Promise<string>;
  /** Abrupt on purpose: what was answered is on disk, and there is nothing else to save. */
  kill(): Promise<void>;
}

const START_WITHIN = 10_000;
const ATTEMPTS = 3;

/**
 * An address that no web page can guess, as the embedded DynamoDB answers any page that finds it: it checks no `Host` and
 * allows every origin. Linux has all of 127.0.0.0/8 on loopback, which makes 2^24 addresses times 28,000 ports; other
 * systems have 127.0.0.1 alone, where the port is all that has to be found.
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

/** Another process may take the free port first; then the database says so and another one is tried. */
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

/** @throws {Error} with what it said when it did not start. */
export async function startAt(address: Address, binary: string, file: string): Promise<DatabaseProcess> {
  const { host, port } = address;
  const child = spawnBound(binary, ['--host', host, '--port', String(port), '--db-path', file]);
  const closed = once(child, 'close');
  closed.catch(() => {});
  const kill = async () => {
    killGroup(child);
    // `close` waits until all of them have let go of the pipe, so the file is free afterwards.
    if (child.pid !== undefined) await closed;
  };
  const { promise: ended, resolve } = Promise.withResolvers<string>();
  child.once('exit', (code, signal) => {
    // What may be left of the group: the program, where the shell alone was killed, and what reads our pipe.
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
 * The shell ends with the program, and so does the program with this process, however that ends: our pipe closes with
 * us, and who reads it kills the program. Its files are for this user alone: Secrets are in them.
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
  const fail = () => reject(new Error(`the embedded DynamoDB does not start: ${said.trim()}`));
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
    // All of them are gone.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
