import type { AwsCredentials } from './sign-token.ts';

/** The hosts of AWS' own credential endpoints, which answer over plain HTTP: of ECS, and of EKS. */
const ENDPOINTS = ['169.254.170.2', '169.254.170.23', '[fd00:ec2::23]', '127.0.0.1', 'localhost', '[::1]'];
const ECS = 'http://169.254.170.2';
/** The longest wait for the endpoint, in ms. */
const ANSWER_WITHIN = 5_000;

/** The answer of a credential endpoint. */
interface Answer {
  readonly AccessKeyId?: string;
  readonly SecretAccessKey?: string;
  readonly Token?: string;
  readonly Expiration?: string;
}

/**
 * Returns the credentials of the environment variables, which a Lambda function has, or of the endpoint that ECS and
 * EKS name in them.
 *
 * @throws {Error} there are none, or the endpoint does not answer
 */
export async function environmentCredentials(): Promise<AwsCredentials> {
  const { env } = process;
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env;
  if (accessKeyId && secretAccessKey) {
    return { accessKeyId, secretAccessKey, sessionToken: env.AWS_SESSION_TOKEN || undefined };
  }
  const path = env.AWS_CONTAINER_CREDENTIALS_RELATIVE_URI;
  const url = path ? `${ECS}${path}` : env.AWS_CONTAINER_CREDENTIALS_FULL_URI;
  if (url) return endpointCredentials(new URL(url));
  throw new Error(
    'there are no AWS credentials in the environment: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give the ' +
      'option credentials, for example fromNodeProviderChain() of @aws-sdk/credential-providers',
  );
}

async function endpointCredentials(url: URL): Promise<AwsCredentials> {
  if (url.protocol !== 'https:' && !ENDPOINTS.includes(url.hostname)) {
    throw new Error(`AWS_CONTAINER_CREDENTIALS_FULL_URI names ${url.host}; use https, or an address of AWS`);
  }
  const authorization = await endpointToken();
  const response = await fetch(url, {
    headers: authorization ? { authorization } : {},
    redirect: 'error',
    signal: AbortSignal.timeout(ANSWER_WITHIN),
  }).catch((cause) => {
    throw new Error(`the credential endpoint ${url.host} does not answer`, { cause });
  });
  if (!response.ok) throw new Error(`the credential endpoint ${url.host} answered ${response.status}`);
  const { AccessKeyId, SecretAccessKey, Token, Expiration } = (await response.json()) as Answer;
  if (!AccessKeyId || !SecretAccessKey) {
    throw new Error(`the credential endpoint ${url.host} answered without credentials`);
  }
  return {
    accessKeyId: AccessKeyId,
    secretAccessKey: SecretAccessKey,
    sessionToken: Token,
    expiration: Expiration === undefined ? undefined : new Date(Expiration),
  };
}

/** The login at the endpoint. EKS renews it in a file. */
async function endpointToken(): Promise<string | undefined> {
  const { AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: file, AWS_CONTAINER_AUTHORIZATION_TOKEN: token } =
    process.env;
  if (!file) return token;
  const { readFile } = await import('node:fs/promises');
  return (await readFile(file, 'utf8')).trim();
}
