import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { JsonObject, JsonValue } from '../../lib/json/index.ts';
import { TIMING } from '../../lib/platform/index.ts';

const client = new LambdaClient({
  maxAttempts: 2,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: TIMING.fill, throwOnRequestTimeout: true },
});

/** Invokes a function by name, and returns its result. Rejects with the error of a failed function. */
export async function invoke(
  functionName: string,
  request: JsonObject,
  abortSignal: AbortSignal | undefined,
): Promise<JsonValue> {
  const command = new InvokeCommand({ FunctionName: functionName, Payload: JSON.stringify(request) });
  const { FunctionError, Payload } = await client.send(
    command,
    abortSignal === undefined ? {} : { abortSignal },
  );
  const text = Payload?.transformToString() ?? '';
  if (FunctionError !== undefined) throw new Error(`${functionName} failed: ${text || FunctionError}`);
  return JSON.parse(text || 'null');
}
