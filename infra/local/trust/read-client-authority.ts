import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * Reads the authorities of client certificates: a PEM file, like that of kube-apiserver's `--client-ca-file`.
 *
 * @throws {Error} the file cannot be read, or holds no certificates
 */
export async function readClientAuthority(file: string): Promise<string> {
  const text = await readFile(file, 'utf8');
  const certificates = text.match(CERTIFICATE) ?? [];
  if (certificates.length === 0) throw new Error(`${file} holds no certificate in PEM`);
  for (const [at, certificate] of certificates.entries()) {
    if (!isCertificate(certificate)) throw new Error(`${file}: certificate ${at + 1} is damaged`);
  }
  return certificates.join('\n');
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined;
  } catch {
    return false;
  }
}
