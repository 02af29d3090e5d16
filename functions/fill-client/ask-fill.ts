import type { JsonObject, JsonValue } from '../../lib/json/index.ts';
import type { Filler } from '../../lib/store/index.ts';

/** Has the function `fill` do what this one may not: write. */
export type AskFill = (request: JsonObject, signal: AbortSignal | undefined) => Promise<JsonValue>;

/** Its client is loaded when first something is asked. */
export function createAskFill(functionName: string): AskFill {
  return async (request, signal) =>
    (await import('./lambda-invocations.ts')).invoke(functionName, request, signal);
}

export function createFiller(ask: AskFill): Filler {
  return { fill: async (gap, signal) => void (await ask({ ...gap }, signal)) };
}
