import type { JsonObject, JsonValue } from '../../lib/json/index.ts';
import { TIMING } from '../../lib/platform/index.ts';
import { InvocationError, invokeLambda } from '../outgoing/index.ts';

/** The longest result of the function `fill`, in bytes. */
const LONGEST = 1024 * 1024;

/** Invokes a function by name, and returns its result. Rejects with the error of a failed function. */
export async function invoke(
  functionName: string,
  request: JsonObject,
  abortSignal: AbortSignal | undefined,
): Promise<JsonValue> {
  const inTime = AbortSignal.timeout(TIMING.fill);
  const signal = abortSignal === undefined ? inTime : AbortSignal.any([inTime, abortSignal]);
  const region = process.env.AWS_REGION ?? '';
  const invocation = { functionName, region, event: JSON.stringify(request), signal, maximum: LONGEST };
  const attempt = () => invokeLambda(invocation);
  try {
    // A fill may happen twice.
    const text = await attempt().catch((error) =>
      mayRepeat(error, signal) ? attempt() : Promise.reject(error),
    );
    return JSON.parse(text || 'null');
  } catch (error) {
    throw new Error(`${functionName} failed: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    });
  }
}

/** Whether an invocation may succeed at once. An error that is no InvocationError is one of the network. */
function mayRepeat(error: unknown, signal: AbortSignal): boolean {
  return !signal.aborted && (!(error instanceof InvocationError) || error.isRepeatable);
}
