import type { Filler, JsonObject, JsonValue } from '../../lib/store/index.ts';
import { required } from '../required.ts';

/** Has the function `fill` do what this one may not: write. */
export type AskFill = (request: JsonObject, signal: AbortSignal | undefined) => Promise<JsonValue>;

/** Its client is loaded when first something is asked. */
export function createAskFill(): AskFill {
  const functionName = required('fillFunction');
  let opened: ReturnType<typeof open> | undefined;
  return async (request, signal) => {
    opened ??= open(functionName);
    const invoke = await opened;
    return JSON.parse((await invoke(JSON.stringify(request), signal)) || 'null');
  };
}

export function createFiller(ask: AskFill): Filler {
  return { fill: async (gap, signal) => void (await ask({ ...gap }, signal)) };
}

async function open(functionName: string) {
  const { createInvocation } = await import('./lambda-invocations.ts');
  return createInvocation(functionName);
}
