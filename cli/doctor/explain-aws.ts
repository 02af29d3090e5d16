import { UncheckedError } from '../connection/index.ts';

const NO_CREDENTIALS = /^(CredentialsProviderError|TokenProviderError)$/;
const NOT_ALLOWED =
  /AccessDenied|AuthorizationError|UnrecognizedClient|InvalidClientTokenId|SignatureDoesNotMatch|ExpiredToken/;

/** A request to AWS, for messages. */
export interface AskedOfAws {
  readonly service: string;
  /** The purpose, as in `your credentials may not …`. */
  readonly to: string;
  /** The IAM actions that a policy must allow. */
  readonly needs: string;
}

/** The error for missing credentials, permissions or network; undefined if the error is about the resource itself. */
export function explainAws(error: unknown, { service, to, needs }: AskedOfAws): UncheckedError | undefined {
  const { name, message, $metadata } = error as Error & { $metadata?: { httpStatusCode?: number } };
  if (NO_CREDENTIALS.test(name)) {
    return new UncheckedError(
      `no AWS credentials to ${to}: set AWS_PROFILE or the keys, and run the command again`,
    );
  }
  if (NOT_ALLOWED.test(name)) {
    return new UncheckedError(`your credentials may not ${to}; they need ${needs}: ${message}`);
  }
  if ($metadata?.httpStatusCode === undefined) {
    return new UncheckedError(`this machine cannot reach ${service}: ${message}`);
  }
  return undefined;
}
