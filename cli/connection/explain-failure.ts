import { Fault, type FaultWords } from './fault.ts';

const RUNNING =
  'Is it running? "npm start" prints its URL; the URL of a deployment is the output ApiUrl of its stack';
const TRUST =
  'Set NODE_EXTRA_CA_CERTS to the issuer\'s certificate, or use a kubeconfig that contains the certificate-authority, such as the one that "npm start -- --tls" writes';
const NETWORK = 'Check the URL, and what is between this machine and the server: a VPN, a proxy, a firewall';

type Words = (host: string) => FaultWords;

const refused: Words = (host) => ({ what: `nothing listens at ${host}`, advice: RUNNING });
const unknownName: Words = (host) => ({
  what: `DNS does not know the name in ${host}`,
  advice: `${NETWORK}. The name of a REST API disappears when its stack is destroyed`,
});
const silent: Words = (host) => ({ what: `${host} does not answer`, advice: NETWORK });
const cut: Words = (host) => ({
  what: `${host} closed the connection without an answer`,
  advice: `${NETWORK}. Does the server use HTTPS and the URL http, or the other way round?`,
});
const notTls: Words = (host) => ({
  what: `${host} does not speak TLS`,
  advice: 'If it serves HTTP, the URL must begin with http://',
});
const untrusted: Words = (host) => ({
  what: `the certificate of ${host} was issued by an authority that this machine does not trust`,
  advice: TRUST,
});
const expired: Words = (host) => ({
  what: `the certificate of ${host} has expired or is not valid yet`,
  advice: 'Renew it, and check the clock of this machine',
});
const otherName: Words = (host) => ({
  what: `the certificate of ${host} is for another name`,
  advice: 'Use the name in the certificate, or set tls-server-name in the kubeconfig',
});

/** Messages by the code of Node's error: https://nodejs.org/api/errors.html and …/api/tls.html#x509-certificate-error-codes */
const BY_CODE: Readonly<Record<string, Words>> = {
  ECONNREFUSED: refused,
  ENOTFOUND: unknownName,
  EAI_AGAIN: unknownName,
  ETIMEDOUT: silent,
  EHOSTUNREACH: silent,
  ENETUNREACH: silent,
  TimeoutError: silent,
  ECONNRESET: cut,
  EPIPE: cut,
  HPE_INVALID_CONSTANT: cut,
  EPROTO: notTls,
  ERR_SSL_WRONG_VERSION_NUMBER: notTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: notTls,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  CERT_HAS_EXPIRED: expired,
  CERT_NOT_YET_VALID: expired,
  ERR_TLS_CERT_ALTNAME_INVALID: otherName,
};

/** The error for a request to `url` that got no answer. */
export function explainFailure(error: unknown, url: string): Fault {
  if (error instanceof Fault) return error;
  const { code, name, message } = error as Error & { code?: string };
  const words = BY_CODE[code ?? ''] ?? BY_CODE[name];
  return new Fault(
    words?.(new URL(url).host) ?? { what: `the request failed: ${message || code || name}`, advice: NETWORK },
  );
}
