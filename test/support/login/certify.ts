import { generateKeyPairSync } from 'node:crypto';
import { isIP } from 'node:net';
import forge from 'node-forge';

const DAY = 86_400_000;
const { pki } = forge;

const makeKeys = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
/** The keys of all authorities, and of all others. Making keys takes long. */
const [OWN, CLIENTS] = [makeKeys(), makeKeys()];

/** A certificate and its private key as PEM. */
export interface Certified {
  readonly cert: string;
  readonly key: string;
}

export interface Asked {
  readonly subject: readonly { readonly name: string; readonly value: string }[];
  readonly issuer?: Certified;
  readonly usage?: object;
  /** The DNS names and IP addresses of a server. */
  readonly names?: readonly string[];
  readonly days?: number;
}

/** A certificate of an authority, or an authority of its own. */
export function certify({ subject, issuer, usage, names = [], days = 1 }: Asked): Certified {
  const { publicKey, privateKey } = issuer === undefined ? OWN : CLIENTS;
  const certificate = pki.createCertificate();
  certificate.serialNumber = '01';
  certificate.validity.notBefore = new Date(Date.now() - 2 * DAY);
  certificate.validity.notAfter = new Date(Date.now() + days * DAY);
  certificate.publicKey = pki.publicKeyFromPem(publicKey);
  certificate.setSubject([...subject]);
  certificate.setIssuer(
    issuer === undefined ? [...subject] : pki.certificateFromPem(issuer.cert).subject.attributes,
  );
  certificate.setExtensions(
    issuer === undefined
      ? [{ name: 'basicConstraints', cA: true }]
      : [
          { name: 'extKeyUsage', ...(usage ?? { clientAuth: true }) },
          ...(names.length === 0 ? [] : [{ name: 'subjectAltName', altNames: names.map(alternative) }]),
        ],
  );
  certificate.sign(pki.privateKeyFromPem(issuer?.key ?? privateKey), forge.md.sha256.create());
  return { cert: pki.certificateToPem(certificate), key: privateKey };
}

const alternative = (name: string) => (isIP(name) === 0 ? { type: 2, value: name } : { type: 7, ip: name });

/** The subject with a common name, which is the user, and organizations, which are the groups. */
export const named = (commonName: string, ...organizations: readonly string[]) => [
  ...organizations.map((value) => ({ name: 'organizationName', value })),
  ...(commonName === '' ? [] : [{ name: 'commonName', value: commonName }]),
];
