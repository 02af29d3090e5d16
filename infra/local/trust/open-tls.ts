import { join } from 'node:path';
import { type Certified, certifyLoopback, endOf, makeAuthority } from './authority.ts';
import { keepFile, readKept } from './kept-file.ts';

/** What a server of HTTPS shows, and by whose certificate a client knows it; all in PEM. */
export interface Tls extends Certified {
  readonly authority: string;
}

/** An authority that ends sooner is made anew, so that a server's certificate never outlives it. */
const REST = 400 * 86_400_000;

/** The authority with its private key, and its certificate alone, for `curl --cacert`. */
const [BOTH, PUBLIC] = ['authority.json', 'ca.crt'];

/**
 * A certificate for loopback, of an authority of our own: the one that is kept in the folder, if that is still good,
 * else a new one. Without a folder its key is nowhere but in memory, and forgotten with the call.
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

/** @throws {Error} the text is no authority */
function parseAuthority(text: string): Certified {
  const authority = JSON.parse(text) as Certified;
  endOf(authority);
  return authority;
}
