import { expect, it } from '@jest/globals';
import forge from 'node-forge';
import { commonNameOf } from '../../../../lib/kubernetes/nodes/common-name.ts';

const keys = forge.pki.rsa.generateKeyPair({ bits: 1024, e: 0x10001 });

function requestFor(subject: forge.pki.CertificateField[]): string {
  const request = forge.pki.createCertificationRequest();
  request.publicKey = keys.publicKey;
  request.setSubject(subject);
  request.sign(keys.privateKey);
  return forge.pki.certificationRequestToPem(request);
}

it('the common name of a certificate request is read from its subject', () => {
  const name = 'system:node:a';
  expect(commonNameOf(requestFor([{ name: 'commonName', value: name }]))).toBe(name);
  const others = [
    { name: 'organizationName', value: 'system:nodes' },
    { name: 'commonName', value: name },
    { name: 'countryName', value: 'DE' },
  ];
  expect(commonNameOf(requestFor(others))).toBe(name);
});

it('the last common name of a subject counts, as in Go', () => {
  const twice = ['first', 'last'].map((value) => ({ name: 'commonName', value }));
  expect(commonNameOf(requestFor(twice))).toBe('last');
});

it('a subject without a common name has an empty one', () => {
  expect(commonNameOf(requestFor([{ name: 'countryName', value: 'DE' }]))).toBe('');
});

it('a text that is no certificate request, or is cut off, has no common name', () => {
  const pem = requestFor([{ name: 'commonName', value: 'system:node:a' }]);
  const [head = '', ...rest] = pem.trimEnd().split('\n');
  const cut = [head, String(rest[0]).slice(0, 20), String(rest.at(-1))].join('\n');
  const two = `${pem}${pem}`;
  const header = pem.replace('\n', '\nA: b\n\n').replace('\r', '');
  const before = `x${pem}`;
  const damaged = pem.replace('MII', 'MI!I');
  const others = [pem.replaceAll('CERTIFICATE REQUEST', 'CERTIFICATE'), two, header, before, damaged];
  for (const text of ['', 'x', cut, ...others]) {
    expect(commonNameOf(text)).toBeUndefined();
  }
});

it('a common name that is no text is refused, because other parsers ignore it', () => {
  const pem = requestFor([
    { name: 'commonName', value: 'system:node:b' },
    { name: 'commonName', value: 'system:node:a' },
  ]);
  const [head = '', ...rest] = pem.trimEnd().split('\n');
  const bytes = Buffer.from(rest.slice(0, -1).join(''), 'base64');
  const octets = Buffer.concat([Buffer.from([0x04, 13]), Buffer.from('system:node:a')]);
  bytes.set(octets, bytes.indexOf('system:node:a') - 2);
  const text = [head.trim(), bytes.toString('base64'), String(rest.at(-1)).trim(), ''].join('\n');
  expect(commonNameOf(text)).toBeUndefined();
});
