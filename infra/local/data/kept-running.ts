import { type DatabaseProcess, startAnywhere, startAt } from './database-process.ts';

/** The embedded DynamoDB, which is restarted at the same address whenever it ends. */
export interface KeptRunning {
  readonly endpoint: string;
  /** Resolves to the cause if it cannot be restarted, or ends too often. */
  readonly lost: Promise<Error>;
  stop(): Promise<void>;
}

export interface KeptRunningOptions {
  readonly binary: string;
  readonly file: string;
  /** Called after a restart, with the cause of the end. */
  readonly onRestart?: ((how: string) => void) | undefined;
}

/** The most restarts within a minute. */
const MOST_ENDS = 5;
const WITHIN = 60_000;

/**
 * Starts the embedded DynamoDB, and restarts it whenever it ends.
 *
 * @throws {Error} the first start fails.
 */
export async function keepRunning({ binary, file, onRestart }: KeptRunningOptions): Promise<KeptRunning> {
  let current: DatabaseProcess = await startAnywhere(binary, file);
  let isStopping = false;
  let restarting: Promise<void> | undefined;
  const { address } = current;
  const { promise: lost, resolve: lose } = Promise.withResolvers<Error>();
  const ends: number[] = [];

  const watch = (running: DatabaseProcess) => {
    void running.ended.then((how) => {
      if (!isStopping) restarting = restart(how).catch((error: Error) => lose(error));
    });
  };
  const restart = async (how: string) => {
    const now = performance.now();
    ends.push(now);
    const recent = ends.filter((end) => end > now - WITHIN).length;
    if (recent > MOST_ENDS) {
      throw new Error(
        `the embedded DynamoDB ended ${recent} times within a minute, the last time with ${how}`,
      );
    }
    current = await startAt(address, binary, file);
    watch(current);
    onRestart?.(how);
  };
  watch(current);
  return {
    endpoint: `http://${address.host}:${address.port}`,
    lost,
    stop: async () => {
      isStopping = true;
      await restarting;
      await current.kill();
    },
  };
}
