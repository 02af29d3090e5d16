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
  for (const text of ['', 'x', cut, pem.replaceAll('CERTIFICATE REQUEST', 'CERTIFICATE')]) {
    expect(commonNameOf(text)).toBeUndefined();
  }
});
