import { randomBytes } from 'node:crypto';
import forge from 'node-forge';
import { type KeyPair, makeKeyPair } from './key-pair.ts';

/** A certificate and its private key, in PEM. */
export interface Certified {
  readonly certificate: string;
  readonly key: string;
}

const { pki } = forge;
const DAY = 86_400_000;
const AUTHORITY_DAYS = 3_650;
/** Made anew with each start. */
const SERVER_DAYS = 397;
/** A clock may be behind by so much. */
const SKEW = 3_600_000;

const AUTHORITY_NAME = 'Winnow on this machine';
const DNS = 2;
const IP_ADDRESS = 7;

/** Makes an authority of its own name and key, which may certify servers and no further authorities. */
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

/** Certifies a server of loopback: `127.0.0.1` and `localhost`. */
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

/** Until when it is good, in milliseconds since the Unix epoch. Throws where it is no certificate. */
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
