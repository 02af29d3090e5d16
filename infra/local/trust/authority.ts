import { randomBytes } from 'node:crypto';
import forge from 'node-forge';
import { type KeyPair, makeKeyPair } from './key-pair.ts';

/** A certificate and its private key as PEM. */
export interface Certified {
  readonly certificate: string;
  readonly key: string;
}

const { pki } = forge;
const DAY = 86_400_000;
const AUTHORITY_DAYS = 3_650;
/** The validity of a server's certificate. Each start creates a new certificate. */
const SERVER_DAYS = 397;
/** The tolerance for clocks that are behind, in ms. */
const SKEW = 3_600_000;

const AUTHORITY_NAME = 'Winnow on this machine';
const DNS = 2;
const IP_ADDRESS = 7;

/** Creates an authority with its own name and key. It may certify servers, but no further authorities. */
export async function makeAuthority(now: number): Promise<Certified> {
  const pair = await makeKeyPair();
  const subject = attributes(`${AUTHORITY_NAME} ${randomBytes(4).toString('hex')}`);
  return certify({
    pair,
    subject,
    issuer: subject,
    signedBy: pair.key,
    now,
    days: AUTHORITY_DAYS,
    extensions: [
      { name: 'basicConstraints', critical: true, cA: true, pathLenConstraint: 0 },
      { name: 'keyUsage', critical: true, keyCertSign: true, cRLSign: true },
      { name: 'subjectKeyIdentifier' },
    ],
  });
}

/** Creates a certificate for a server on loopback: `127.0.0.1` and `localhost`. */
export async function certifyLoopback(authority: Certified, now: number): Promise<Certified> {
  const certificate = pki.certificateFromPem(authority.certificate);
  const pair = await makeKeyPair();
  return certify({
    pair,
    subject: attributes('winnow'),
    issuer: certificate.subject.attributes,
    signedBy: authority.key,
    now,
    days: SERVER_DAYS,
    extensions: [
      { name: 'basicConstraints', critical: true, cA: false },
      { name: 'keyUsage', critical: true, digitalSignature: true, keyEncipherment: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: DNS, value: 'localhost' },
          { type: IP_ADDRESS, ip: '127.0.0.1' },
        ],
      },
      {
        name: 'authorityKeyIdentifier',
        keyIdentifier: certificate.generateSubjectKeyIdentifier().getBytes(),
      },
    ],
  });
}

/**
 * The expiry of a certificate, in ms since the epoch.
 *
 * @throws {Error} the text is not a certificate
 */
export function endOf({ certificate }: Certified): number {
  return pki.certificateFromPem(certificate).validity.notAfter.getTime();
}

interface Certifying {
  readonly pair: KeyPair;
  readonly subject: forge.pki.CertificateField[];
  readonly issuer: forge.pki.CertificateField[];
  /** The issuer's private key. */
  readonly signedBy: string;
  readonly now: number;
  readonly days: number;
  readonly extensions: object[];
}

function certify(asked: Certifying): Certified {
  const certificate = pki.createCertificate();
  // Positive, and of at most 20 bytes: https://www.rfc-editor.org/rfc/rfc5280#section-4.1.2.2
  certificate.serialNumber = `01${randomBytes(15).toString('hex')}`;
  certificate.validity.notBefore = new Date(asked.now - SKEW);
  certificate.validity.notAfter = new Date(asked.now + asked.days * DAY);
  certificate.publicKey = pki.publicKeyFromPem(asked.pair.publicKey);
  certificate.setSubject(asked.subject);
  certificate.setIssuer(asked.issuer);
  certificate.setExtensions(asked.extensions);
  certificate.sign(pki.privateKeyFromPem(asked.signedBy), forge.md.sha256.create());
  return { certificate: pki.certificateToPem(certificate), key: asked.pair.key };
}

function attributes(commonName: string): forge.pki.CertificateField[] {
  return [
    { name: 'organizationName', value: 'winnow' },
    { name: 'commonName', value: commonName },
  ];
}
