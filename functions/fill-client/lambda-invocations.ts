import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { TIMING } from '../../lib/platform/index.ts';

/** Invokes the function of that name with a JSON text, and answers the JSON text that it returns. */
export function createInvocation(
  functionName: string,
): (payload: string, signal: AbortSignal | undefined) => Promise<string> {
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
    const text = answer?.transformToString() ?? '';
    if (FunctionError === undefined) return text;
    throw new Error(`${functionName} failed: ${text || FunctionError}`);
  };
}
