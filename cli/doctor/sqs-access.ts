import type { SQSClientConfig } from '@aws-sdk/client-sqs';
import { UncheckedError } from '../connection/index.ts';
import { explainAws } from './explain-aws.ts';

const AWS_HOST = /^sqs\.([a-z0-9-]+)\.amazonaws\.com(\.cn)?$/;
const LOOPBACK_HOST = /^(127\.0\.0\.1|localhost)$/;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The SDK configuration for a queue: on AWS the region in its URL, on loopback the URL itself, elsewhere the endpoint in
 * the AWS variables. The SDK finds the credentials; a local Winnow accepts any.
 */
export function sqsAccess(queueUrl: string, environment: Environment = process.env): SQSClientConfig {
  const { hostname, origin } = new URL(queueUrl);
  const region = AWS_HOST.exec(hostname)?.[1];
  if (region !== undefined) return { region };
  const { AWS_REGION = 'us-east-1', AWS_ACCESS_KEY_ID, AWS_ENDPOINT_URL, AWS_ENDPOINT_URL_SQS } = environment;
  if (LOOPBACK_HOST.test(hostname)) {
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
    return { region: AWS_REGION, endpoint: origin, ...(AWS_ACCESS_KEY_ID ? {} : { credentials }) };
  }
  if (AWS_ENDPOINT_URL || AWS_ENDPOINT_URL_SQS) return { region: AWS_REGION };
  throw new UncheckedError(
    `the queue is at ${hostname}, which is neither AWS nor this machine; set AWS_ENDPOINT_URL_SQS`,
  );
}

/** The error for missing credentials, permissions or network; undefined if SQS' error is about the queue itself. */
export function explainSqs(error: unknown): UncheckedError | undefined {
  return explainAws(error, {
    service: 'SQS',
    to: 'read the queue',
    needs: 'sqs:ReceiveMessage and sqs:DeleteMessage',
  });
}
