import { randomBytes } from 'node:crypto';

/** Where `npm run test:engines` has the tests go, in place of the embedded emulators. */
export const ENGINES = {
  dynamodb: 'WINNOW_TEST_DYNAMODB',
  sqs: 'WINNOW_TEST_SQS',
} as const;

/** The endpoint of another engine than the embedded one; undefined without. */
export function engine(service: keyof typeof ENGINES): string | undefined {
  return process.env[ENGINES[service]];
}

/** An access key that nobody else has: DynamoDB Local keeps a database for each. Letters and digits only. */
export function ownAccessKey(): string {
  return `test${randomBytes(8).toString('hex')}`;
}
