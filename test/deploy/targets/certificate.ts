import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { promisify } from 'node:util';

export interface Certificate {
  readonly certificate: string;
  readonly key: string;
}

/**
 * Makes a certificate for loopback, as files in `directory`, and has this process trust it. kubectl sends its
 * token over HTTPS only, so an emulator behind HTTP is of no use to it.
 */
export async function makeCertificate(directory: string): Promise<Certificate> {
  const files = { certificate: join(directory, 'server.crt'), key: join(directory, 'server.key') };
  const names = ['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  const leaf = ['-addext', 'basicConstraints=critical,CA:FALSE'];
  const options = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=127.0.0.1'];
  const into = ['-keyout', files.key, '-out', files.certificate];
  await promisify(execFile)('openssl', ['req', ...options, ...names, ...leaf, ...into]).catch((error) => {
    throw new Error(`The certificate for MiniStack is made by openssl, which did not: ${error.message}`);
  });
  setDefaultCACertificates([...getCACertificates(), await readFile(files.certificate, 'utf8')]);
  return files;
}
