import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { TIMING } from '../lib/platform/index.ts';

/** Invokes the function of that name with a JSON text, and waits for it. */
export function createInvocation(
  functionName: string,
): (payload: string, signal: AbortSignal | undefined) => Promise<void> {
  const client = new LambdaClient({
    maxAttempts: 2,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: TIMING.fill, throwOnRequestTimeout: true },
  });
  return async (payload, abortSignal) => {
    const command = new InvokeCommand({ FunctionName: functionName, Payload: payload });
    const { FunctionError, Payload: answer } = await client.send(
      command,
      abortSignal === undefined ? {} : { abortSignal },
    );
    if (FunctionError === undefined) return;
    throw new Error(`${functionName} failed: ${answer?.transformToString() ?? FunctionError}`);
  };
}
