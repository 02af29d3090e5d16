import { devNull } from 'node:os';
import { ENVIRONMENT } from '../../lib/platform/index.ts';
import type { FunctionDefinition } from './definition.ts';

/** Variables of the user's shell that are removed, so that a local run cannot reach an AWS account. */
const UNSET = [
  'AWS_PROFILE',
  'AWS_SESSION_TOKEN',
  'AWS_ENDPOINT_URL',
  'AWS_IGNORE_CONFIGURED_ENDPOINT_URLS',
  'AWS_WEB_IDENTITY_TOKEN_FILE',
];

export interface EnvironmentOptions {
  readonly functions: Iterable<FunctionDefinition>;
  readonly region: string;
  readonly dynamodb: string;
  readonly sqs: string;
  /** The endpoint of the signing key, if there is one. */
  readonly kms?: string | undefined;
  /** The endpoint through which functions invoke others. */
  readonly lambda: string;
  /** The places that admission webhooks may name; absent: none. */
  readonly webhooks?: string;
  /** Whether writes wake the watches of this process. */
  readonly signal?: boolean;
}

/**
 * Sets `process.env` for the functions: their own variables, the emulators' endpoints, and invalid credentials. The
 * functions share it, so a variable must have the same value in all of them. Returns a function that restores the old
 * environment.
 */
export function enterEnvironment(options: EnvironmentOptions): () => void {
  const variables: Record<string, string | undefined> = {
    ...merge(options.functions),
    ...Object.fromEntries(UNSET.map((name) => [name, undefined])),
    AWS_REGION: options.region,
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_CONFIG_FILE: devNull,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
    AWS_ENDPOINT_URL_DYNAMODB: options.dynamodb,
    AWS_ENDPOINT_URL_DYNAMODB_STREAMS: options.dynamodb,
    AWS_ENDPOINT_URL_SQS: options.sqs,
    AWS_ENDPOINT_URL_KMS: options.kms,
    AWS_ENDPOINT_URL_LAMBDA: options.lambda,
    [ENVIRONMENT.webhooks]: options.webhooks,
    [ENVIRONMENT.signal]: options.signal ? 'true' : undefined,
    POWERTOOLS_LOG_LEVEL: process.env.POWERTOOLS_LOG_LEVEL ?? 'WARN',
    POWERTOOLS_METRICS_DISABLED: process.env.POWERTOOLS_METRICS_DISABLED ?? 'true',
    WINNOW_FAULT_LINES: process.env.WINNOW_FAULT_LINES ?? 'off',
  };
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  assign(Object.entries(variables));
  return () => assign(before);
}

function merge(functions: Iterable<FunctionDefinition>): Record<string, string> {
  const merged: Record<string, string> = {};
  for (const { name, environment } of functions) {
    for (const [key, value] of Object.entries(environment)) {
      if ((merged[key] ?? value) !== value) {
        throw new Error(`the function ${name} has a different value of ${key} than other functions`);
      }
      merged[key] = value;
    }
  }
  return merged;
}

function assign(variables: readonly (readonly [string, string | undefined])[]): void {
  for (const [name, value] of variables) {
    if (value === undefined) {
      delete process.env[name];
    } else {
      process.env[name] = value;
    }
  }
}
