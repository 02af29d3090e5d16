import type { JsonObject, JsonValue } from '../../lib/json/index.ts';
import type { Filler } from '../../lib/store/index.ts';

/** Requests a write from the function `fill`, for functions that have no write permission. */
export type AskFill = (request: JsonObject, signal: AbortSignal | undefined) => Promise<JsonValue>;

/** Creates a client of the function `fill`. The first request loads its code. */
export function createAskFill(functionName: string): AskFill {
  return async (request, signal) =>
    (await import('./lambda-invocations.ts')).invoke(functionName, request, signal);
}

/** Creates the store's filler, which requests fills from the function `fill`. */
export function createFiller(ask: AskFill): Filler {
  return { fill: async (gap, signal) => void (await ask({ ...gap }, signal)) };
}
