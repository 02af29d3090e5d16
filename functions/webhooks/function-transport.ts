import { type TransportAnswer, TransportError } from '../../lib/server/webhooks/index.ts';
import { invokeLambda } from '../outgoing/index.ts';

/** The longest result, in bytes. Lambda's own limit is twice as large. */
const LONGEST_ANSWER = 3 * 1024 * 1024;
/** The most characters of a function's error that a message quotes. */
const QUOTED = 1_000;

/**
 * Invokes a Lambda function once, with an AdmissionReview as its event. Its result is the answer.
 *
 * @param timeout in ms
 * @throws {TransportError} the function failed, or gave no result in time
 */
export async function invokeFunction(arn: string, body: string, timeout: number): Promise<TransportAnswer> {
  const signal = AbortSignal.timeout(timeout);
  const region = arn.split(':')[3] ?? '';
  try {
    const invocation = { functionName: arn, region, event: body, signal, maximum: LONGEST_ANSWER };
    return { status: 200, text: await invokeLambda(invocation) };
  } catch (error) {
    const why = signal.aborted ? 'context deadline exceeded' : messageOf(error);
    throw new TransportError(`Invoke ${JSON.stringify(arn)}: ${why}`, signal.aborted);
  }
}

function messageOf(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { message?: string } };
  return String(cause?.message ?? message ?? error).slice(0, QUOTED);
}
