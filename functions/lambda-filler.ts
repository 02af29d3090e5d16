import { type Filler, UnavailableError } from '../lib/store/index.ts';

/** Has gaps filled by the function of that name, whose client is loaded with the first gap. */
export function createLambdaFiller(functionName: string): Filler {
  let opened: ReturnType<typeof open> | undefined;
  return {
    fill: async (gap, signal) => {
      opened ??= open(functionName);
      const invoke = await opened;
      await invoke(JSON.stringify(gap), signal);
    },
  };
}

async function open(FunctionName: string) {
  const { InvokeCommand, LambdaClient } = await import('@aws-sdk/client-lambda');
  const client = new LambdaClient({ maxAttempts: 2, requestHandler: { connectionTimeout: 1_000 } });
  return async (Payload: string, abortSignal: AbortSignal | undefined): Promise<void> => {
    const command = new InvokeCommand({ FunctionName, Payload });
    const { FunctionError, Payload: answer } = await client.send(
      command,
      abortSignal === undefined ? {} : { abortSignal },
    );
    if (FunctionError === undefined) return;
    throw new UnavailableError(`${FunctionName} failed: ${answer?.transformToString() ?? FunctionError}`);
  };
}
