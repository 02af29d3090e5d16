import { join } from 'node:path';
import { type Certified, certifyLoopback, endOf, makeAuthority } from './authority.ts';
import { keepFile, readKept } from './kept-file.ts';

/** The certificate and key of an HTTPS server, and the certificate of its authority, all as PEM. */
export interface Tls extends Certified {
  readonly authority: string;
}

/**
 * The shortest remaining validity of an authority in ms. An authority with less is replaced, so that it outlives
 * server certificates.
 */
const REST = 400 * 86_400_000;

/** The files of the authority with its private key, and of its certificate only, for `curl --cacert`. */
const [BOTH, PUBLIC] = ['authority.json', 'ca.crt'];

/**
 * Creates a certificate for loopback, from the authority in the folder if that is still valid, or from a new one.
 * Without a folder, the authority's key exists only in memory during the call.
 */
export async function openTls(folder: string | undefined, now: number): Promise<Tls> {
  const kept = folder === undefined ? undefined : await readKept(join(folder, BOTH), parseAuthority);
  const authority = kept !== undefined && endOf(kept) > now + REST ? kept : await makeAuthority(now);
  if (folder !== undefined && authority !== kept) await keepAuthority(folder, authority);
  return { ...(await certifyLoopback(authority, now)), authority: authority.certificate };
}

async function keepAuthority(folder: string, authority: Certified): Promise<void> {
  await keepFile(join(folder, BOTH), JSON.stringify(authority));
  await keepFile(join(folder, PUBLIC), authority.certificate);
}

/** @throws {Error} the text is not an authority */
function parseAuthority(text: string): Certified {
  const authority = JSON.parse(text) as Certified;
  endOf(authority);
  return authority;
}
