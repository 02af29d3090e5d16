import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { type TransportAnswer, TransportError } from '../../lib/server/webhooks/index.ts';

/** One client for each region that an ARN names. */
const clients = new Map<string, LambdaClient>();

/**
 * Invokes a Lambda function once, with an AdmissionReview as its event. Its result is the answer.
 *
 * @param timeout in ms
 * @throws {TransportError} the function failed, or gave no result in time
 */
export async function invokeFunction(arn: string, body: string, timeout: number): Promise<TransportAnswer> {
  const abortSignal = AbortSignal.timeout(timeout);
  try {
    const command = new InvokeCommand({ FunctionName: arn, Payload: body });
    const { FunctionError, Payload } = await clientOf(arn).send(command, { abortSignal });
    const text = Payload?.transformToString() ?? '';
    if (FunctionError !== undefined) throw new Error(`${FunctionError}: ${text}`);
    return { status: 200, text };
  } catch (error) {
    const why = abortSignal.aborted ? 'context deadline exceeded' : messageOf(error);
    throw new TransportError(`Invoke ${JSON.stringify(arn)}: ${why}`, abortSignal.aborted);
  }
}

function clientOf(arn: string): LambdaClient {
  const region = arn.split(':')[3] ?? '';
  const known = clients.get(region);
  if (known !== undefined) return known;
  const created = new LambdaClient({ region, maxAttempts: 1 });
  clients.set(region, created);
  return created;
}

/** The most characters of a function's error that a message quotes. */
const QUOTED = 1_000;

const messageOf = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).slice(0, QUOTED);
