import { UncheckedError } from '../connection/index.ts';

const NO_CREDENTIALS = /^(CredentialsProviderError|TokenProviderError)$/;
const NOT_ALLOWED =
  /AccessDenied|AuthorizationError|UnrecognizedClient|InvalidClientTokenId|SignatureDoesNotMatch|ExpiredToken/;

/** What was asked of AWS. */
export interface AskedOfAws {
  readonly service: string;
  /** As in `there are no credentials to … with`. */
  readonly to: string;
  /** The actions that a policy has to allow. */
  readonly needs: string;
}

/** Says in words why AWS did not tell; undefined where it was the service's answer about what was asked. */
export function explainAws(error: unknown, { service, to, needs }: AskedOfAws): UncheckedError | undefined {
  const { name, message, $metadata } = error as Error & { $metadata?: { httpStatusCode?: number } };
  if (NO_CREDENTIALS.test(name)) {
    return new UncheckedError(
      `there are no AWS credentials to ${to} with: set AWS_PROFILE or the keys, and run it again`,
    );
  }
  if (NOT_ALLOWED.test(name)) {
    return new UncheckedError(`your credentials may not ${to}, for which they need ${needs}: ${message}`);
  }
  if ($metadata?.httpStatusCode === undefined) {
    return new UncheckedError(`${service} cannot be reached from here: ${message}`);
  }
  return undefined;
}
