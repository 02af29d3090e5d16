import { X509Certificate } from 'node:crypto';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTls } from '../../../infra/local/trust/index.ts';

const NOW = Date.parse('2026-11-23T00:00:00Z');
const YEAR = 365 * 86_400_000;

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'winnow-trust-'));
});

afterAll(() => rm(directory, { recursive: true }));

describe('the certificate of a local run', () => {
  it('the certificate is for loopback, and its authority is kept while it is valid', async () => {
    const folder = join(directory, 'tls');
    const first = await openTls(folder, NOW);
    const [server, authority] = [first.certificate, first.authority].map((pem) => new X509Certificate(pem));
    expect(server?.subjectAltName).toBe('DNS:localhost, IP Address:127.0.0.1');
    expect(authority !== undefined && server?.checkIssued(authority)).toBe(true);
    expect(authority !== undefined && server?.verify(authority.publicKey)).toBe(true);
    expect([server?.ca, authority?.ca]).toEqual([false, true]);
    expect(server?.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
    expect(Date.parse(server?.validTo ?? '')).toBeLessThan(Date.parse(authority?.validTo ?? ''));

    const second = await openTls(folder, NOW + 8 * YEAR);
    expect(second.authority).toBe(first.authority);
    expect(second.certificate).not.toBe(first.certificate);
    expect((await openTls(folder, NOW + 9 * YEAR)).authority).not.toBe(first.authority);
    for (const path of [folder, join(folder, 'authority.json')]) {
      expect((await stat(path)).mode & 0o077).toBe(0);
    }
  });
});
