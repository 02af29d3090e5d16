import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/index.ts';
import type { Logger, Random } from '../../../platform/index.ts';
import { UnavailableError } from '../../errors.ts';

/** A watch that is counted, until it is left or its time is over. */
export interface HeldWatch {
  /** Never throws. */
  leave(): Promise<void>;
}

/** How many watches one user has open at once, of all processes. */
export interface WatchCap {
  readonly most: number;
  /**
   * Undefined at the limit. `lasts`: ms that the watch takes at most.
   *
   * @throws {UnavailableError} nobody counts them now
   */
  enter(user: string, lasts: number, signal: AbortSignal): Promise<HeldWatch | undefined>;
}

export interface WatchCapOptions {
  readonly most: number;
  readonly random: Random;
  readonly logger: Logger;
  /** Asks the function that may write for the answer of `answerWatchRequest`. */
  ask(request: JsonObject, signal: AbortSignal | undefined): Promise<JsonValue>;
}

/** The cap as a process has it that writes nothing itself. */
export function createWatchCap({ most, random, logger, ask }: WatchCapOptions): WatchCap {
  return {
    most,
    enter: async (user, lasts, signal) => {
      const watch = { user, id: random.uuid() };
      const answer = await ask({ watch: { ...watch, lasts } }, signal).catch((error: unknown) => {
        logger.warn('the open watches are not counted', { error });
        throw new UnavailableError('the watches that are open cannot be counted now');
      });
      const place = isJsonObject(answer) ? answer.place : undefined;
      if (typeof place !== 'number') return undefined;
      return {
        leave: async () => {
          try {
            await ask({ watch: { ...watch, place } }, undefined);
          } catch (error) {
            logger.warn('a watch that is over is counted until its time is', { error });
          }
        },
      };
    },
  };
}
