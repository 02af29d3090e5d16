import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/index.ts';
import type { Logger, Random } from '../../../platform/index.ts';
import { UnavailableError } from '../../errors.ts';

/** A counted watch, until the holder leaves it or its time ends. */
export interface HeldWatch {
  /** Never throws. */
  leave(): Promise<void>;
}

/** The limit on one user's open watches, across all processes. */
export interface WatchCap {
  readonly most: number;
  /**
   * Counts a watch. Undefined at the limit. `lasts` is the maximum duration of the watch, in ms.
   *
   * @throws {UnavailableError} watches cannot be counted at the moment
   */
  enter(user: string, lasts: number, signal: AbortSignal): Promise<HeldWatch | undefined>;
}

export interface WatchCapOptions {
  readonly most: number;
  readonly random: Random;
  readonly logger: Logger;
  /** Sends the request to the function that may write; resolves to the result of `answerWatchRequest`. */
  ask(request: JsonObject, signal: AbortSignal | undefined): Promise<JsonValue>;
}

/** The watch limit for a read-only process. */
export function createWatchCap({ most, random, logger, ask }: WatchCapOptions): WatchCap {
  return {
    most,
    enter: async (user, lasts, signal) => {
      const watch = { user, id: random.uuid() };
      const answer = await ask({ watch: { ...watch, lasts } }, signal).catch((error: unknown) => {
        logger.warn('the open watches are not counted', { error });
        throw new UnavailableError('the open watches cannot be counted now');
      });
      const place = isJsonObject(answer) ? answer.place : undefined;
      if (typeof place !== 'number') return undefined;
      return {
        leave: async () => {
          try {
            await ask({ watch: { ...watch, place } }, undefined);
          } catch (error) {
            logger.warn('an ended watch keeps its permit until its planned end', { error });
          }
        },
      };
    },
  };
}
