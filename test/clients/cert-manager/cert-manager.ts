import { equal, notEqual, ok } from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '../../support/eventually.ts';
import type { HttpClient } from '../../support/service/http-client.ts';
import { expectNoFault, runInBackground } from '../background.ts';
import type { Attempt, Client } from '../client.ts';
import { buildInModule } from '../go-module.ts';
import { createDefinitions, untilGone, untilThere, untilTrue } from '../objects.ts';
import { trySteps } from '../outcome-of.ts';

const VERSION = 'v1.21.2';
const MODULE = 'github.com/cert-manager/cert-manager';

/** Cert-manager's controllers, built from its Go module with a main package of ours. */
export const certManager: Client = {
  name: 'cert-manager',
  title: `cert-manager ${VERSION.slice(1)}, without ACME, Vault and Venafi`,
  install: async (folder) => {
    const program = join(folder, 'controller');
    const main = join(import.meta.dirname, 'main.go');
    const source = await buildInModule(`${MODULE}@${VERSION}`, main, { folder, program });
    const names = await readdir(join(source, 'deploy/crds'));
    const definitions = names.filter((name) => name.endsWith('.yaml'));
    return attempt(
      program,
      definitions.map((name) => join(source, 'deploy/crds', name)),
    );
  },
};

const KINDS = '/apis/cert-manager.io/v1/namespaces/default';
/** An error because its cache lacks a change by itself or by this test. It tries again. */
const RETRIED = /err="(Operation cannot be fulfilled on|\S+ \\"[^"]+\\" (not found|already exists)")/;
const SECRETS = '/api/v1/namespaces/default/secrets';

function attempt(program: string, definitions: readonly string[]): Attempt {
  return async ({ kubeconfig, home, http }, tell) => {
    await createDefinitions(http, definitions);
    const running = runInBackground(program, [], { HOME: home, KUBECONFIG: kubeconfig });
    const steps: Readonly<Record<string, () => Promise<void>>> = {
      'a self-signed Issuer': async () => {
        await post(http, 'Issuer', 'self', { selfSigned: {} });
        await untilTrue(http, `${KINDS}/issuers/self`, 'Ready');
      },
      'a Certificate and its Secret': async () => {
        await post(http, 'Certificate', 'root', {
          isCA: true,
          commonName: 'root',
          secretName: 'root',
          issuerRef: { name: 'self' },
        });
        await untilTrue(http, `${KINDS}/certificates/root`, 'Ready');
        const root = await certificateIn(http, 'root');
        equal(root.subject, 'CN=root');
        ok(root.ca);
      },
      'a CA Issuer': async () => {
        await post(http, 'Issuer', 'authority', { ca: { secretName: 'root' } });
        await untilTrue(http, `${KINDS}/issuers/authority`, 'Ready');
        await post(http, 'Certificate', 'web', {
          dnsNames: ['web.example'],
          secretName: 'web',
          issuerRef: { name: 'authority' },
        });
        await untilTrue(http, `${KINDS}/certificates/web`, 'Ready');
        const [root, web] = [await certificateIn(http, 'root'), await certificateIn(http, 'web')];
        ok(web.verify(root.publicKey));
        equal(web.subjectAltName, 'DNS:web.example');
      },
      'replaces a deleted Secret': async () => {
        const before = await certificateIn(http, 'web');
        await http.delete(`${SECRETS}/web`);
        await untilThere(http, `${SECRETS}/web`);
        await untilTrue(http, `${KINDS}/certificates/web`, 'Ready');
        notEqual((await certificateIn(http, 'web')).serialNumber, before.serialNumber);
      },
      'issues again for a new name': async () => {
        const names = ['web.example', 'shop.example'];
        await http.merge(`${KINDS}/certificates/web`, { spec: { dnsNames: names } });
        await eventually('the certificate has both names', async () => {
          const { subjectAltName } = await certificateIn(http, 'web');
          return subjectAltName === 'DNS:web.example, DNS:shop.example';
        });
      },
      'a Certificate of an Ingress': async () => {
        const backend = { service: { name: 'web', port: { number: 80 } } };
        const ingresses = '/apis/networking.k8s.io/v1/namespaces/default/ingresses';
        await http.post(ingresses, {
          metadata: { name: 'blog', annotations: { 'cert-manager.io/issuer': 'authority' } },
          spec: { defaultBackend: backend, tls: [{ hosts: ['blog.example'], secretName: 'blog' }] },
        });
        await untilThere(http, `${KINDS}/certificates/blog`);
        await untilTrue(http, `${KINDS}/certificates/blog`, 'Ready');
        await http.delete(`${ingresses}/blog`);
        await untilGone(http, `${KINDS}/certificates/blog`);
      },
      'logs only retries': async () => {
        expectNoFault([running], (line) => /^E\d{4} /.test(line) && !RETRIED.test(line));
      },
    };
    try {
      await trySteps(steps, tell);
    } finally {
      await running.stop();
    }
  };
}

async function post(http: HttpClient, kind: string, name: string, spec: object): Promise<void> {
  const body = { apiVersion: 'cert-manager.io/v1', kind, metadata: { name }, spec };
  await http.post(`${KINDS}/${kind.toLowerCase()}s`, body);
}

async function certificateIn(http: HttpClient, secret: string): Promise<X509Certificate> {
  const { data } = (await http.get(`${SECRETS}/${secret}`)).body as { data?: Record<string, string> };
  return new X509Certificate(Buffer.from(data?.['tls.crt'] ?? '', 'base64'));
}
