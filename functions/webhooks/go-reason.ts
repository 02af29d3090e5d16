import type { HttpsDestination } from '../../lib/server/webhooks/index.ts';

/** The errors of certificates, in the words of Go's crypto/x509. */
const CERTIFICATE_ERRORS: Readonly<Record<string, string>> = {
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate signed by unknown authority',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate signed by unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate signed by unknown authority',
  UNABLE_TO_GET_ISSUER_CERT: 'certificate signed by unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate signed by unknown authority',
  CERT_HAS_EXPIRED: 'certificate has expired or is not yet valid',
  CERT_NOT_YET_VALID: 'certificate has expired or is not yet valid',
};

interface NetworkError {
  readonly code?: string;
  readonly message?: string;
  readonly address?: string;
  readonly port?: number;
}

const portOf = ({ port }: URL) => (port === '' ? 443 : Number(port));

/**
 * Why a call failed, in Go's words: people search for what kube-apiserver says. Other failures keep Node's words.
 */
export function goReason(error: unknown, { url, connect }: HttpsDestination): string {
  if (typeof error !== 'object' || error === null) return String(error);
  const {
    code = '',
    message = '',
    ...known
  } = { ...error, message: (error as Error).message } as NetworkError;
  const { address: host = connect?.host ?? url.hostname, port = connect?.port ?? portOf(url) } = known;
  const certificate = Object.hasOwn(CERTIFICATE_ERRORS, code) ? CERTIFICATE_ERRORS[code] : undefined;
  if (certificate !== undefined) return `tls: failed to verify certificate: x509: ${certificate}`;
  switch (code) {
    case 'ECONNREFUSED':
      return `dial tcp ${host}:${port}: connect: connection refused`;
    case 'EHOSTUNREACH':
      return `dial tcp ${host}:${port}: connect: no route to host`;
    case 'ETIMEDOUT':
      return `dial tcp ${host}:${port}: i/o timeout`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `dial tcp: lookup ${host}: no such host`;
    case 'ECONNRESET':
      return 'EOF';
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `tls: failed to verify certificate: x509: certificate is not valid for ${url.hostname}`;
    default:
      return message === '' ? code : message;
  }
}
