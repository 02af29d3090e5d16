import { equal, match, notEqual, ok } from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { eventually } from '../../support/eventually.ts';
import type { HttpClient } from '../../support/service/http-client.ts';
import { expectNoFault, runInBackground } from '../background.ts';
import type { Attempt, Client } from '../client.ts';
import { buildInModule } from '../go-module.ts';
import { kubectlTerminal, refusedByWebhook, requireKubectl } from '../kubectl.ts';
import { createDefinitions, untilGone, untilNotTrue, untilThere, untilTrue } from '../objects.ts';
import { trySteps } from '../outcome-of.ts';
import { installWebhook } from './install-webhook.ts';

const VERSION = 'v1.21.2';
const MODULE = 'github.com/cert-manager/cert-manager';

/** Cert-manager's controllers, webhook and CA injector, built from its Go module with a main package of ours. */
export const certManager: Client = {
  name: 'cert-manager',
  title: `cert-manager ${VERSION.slice(1)}, without ACME, Vault and Venafi`,
  service: { newestSchema: true, webhooks: 'services', derived: ['endpointslices'] },
  install: async (folder) => {
    await requireKubectl();
    const program = join(folder, 'cert-manager');
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
  return async (server, tell) => {
    const { kubeconfig, home, http } = server;
    const terminal = kubectlTerminal(server);
    await createDefinitions(http, definitions);
    const environment = { HOME: home, KUBECONFIG: kubeconfig };
    const running = [
      runInBackground(program, ['cainjector'], environment),
      runInBackground(program, ['webhook', ...(await installWebhook(server))], environment),
      runInBackground(program, ['controller'], environment),
    ];
    const steps: Readonly<Record<string, () => Promise<void>>> = {
      'its CA injector completes the webhook configurations': async () => {
        for (const kind of ['mutating', 'validating']) await untilTrusted(http, kind);
      },
      'its webhook refuses an invalid Certificate': async () => {
        const file = join(home, 'invalid.yaml');
        const issuerRef = { name: 'self' };
        const certificate = {
          apiVersion: 'cert-manager.io/v1',
          kind: 'Certificate',
          metadata: { name: 'bad' },
        };
        await writeFile(file, stringify({ ...certificate, spec: { secretName: 'bad', issuerRef } }));
        const refusal = await refusedByWebhook(terminal, `kubectl create -f ${file}`);
        match(
          refusal,
          /admission webhook "webhook\.cert-manager\.io" denied the request: spec: Invalid value: .*at least one of commonName/,
        );
      },
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
      'its webhook names the user in a CertificateRequest, and lets none change it': async () => {
        const [name] = await terminal.lines('kubectl get certificaterequests -o name');
        const spec = "-o jsonpath='{.spec.username} {.spec.groups}'";
        const [user, groups] = await Promise.all([
          terminal.run("kubectl auth whoami -o jsonpath='{.status.userInfo.username}'"),
          terminal.run("kubectl auth whoami -o jsonpath='{.status.userInfo.groups}'"),
        ]);
        equal(await terminal.run(`kubectl get ${name} ${spec}`), `${user} ${groups}`);
        const change = `kubectl patch ${name} --type=merge -p '{"spec":{"username":"other"}}'`;
        match(await terminal.refused(change), /webhook\.cert-manager\.io" denied the request: .*spec/);
      },
      'a CA Issuer': async () => {
        await post(http, 'Issuer', 'authority', { ca: { secretName: 'root' } });
        await untilTrue(http, `${KINDS}/issuers/authority`, 'Ready');
        await post(http, 'Certificate', 'web', {
          dnsNames: ['web.example'],
          secretName: 'web',
          issuerRef: { name: 'authority' },
        });
        await untilIssued(http, 'web');
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
        expectNoFault(running, (line) => /^E\d{4} /.test(line) && !RETRIED.test(line));
      },
    };
    try {
      await trySteps(steps, tell);
    } finally {
      terminal.close();
      await Promise.all(running.map((program) => program.stop()));
    }
  };
}

/** Waits until a webhook configuration names the authority of the webhook's certificate. */
async function untilTrusted(http: HttpClient, kind: string): Promise<void> {
  const path = `/apis/admissionregistration.k8s.io/v1/${kind}webhookconfigurations/cert-manager-webhook`;
  await eventually(`${path} has a caBundle`, async () => {
    const { webhooks } = (await http.get(path)).body as unknown as {
      webhooks: readonly { readonly clientConfig: { readonly caBundle?: string } }[];
    };
    return webhooks.every(({ clientConfig }) => clientConfig.caBundle !== undefined);
  });
}

/**
 * Waits until a Certificate is ready, and its issuance is over. While it is not, the issuing controller may create a
 * deleted Secret again from the same CertificateRequest.
 */
async function untilIssued(http: HttpClient, name: string): Promise<void> {
  const path = `${KINDS}/certificates/${name}`;
  await untilTrue(http, path, 'Ready');
  await untilNotTrue(http, path, 'Issuing');
}

async function post(http: HttpClient, kind: string, name: string, spec: object): Promise<void> {
  const body = { apiVersion: 'cert-manager.io/v1', kind, metadata: { name }, spec };
  await http.post(`${KINDS}/${kind.toLowerCase()}s`, body);
}

async function certificateIn(http: HttpClient, secret: string): Promise<X509Certificate> {
  const { data } = (await http.get(`${SECRETS}/${secret}`)).body as { data?: Record<string, string> };
  return new X509Certificate(Buffer.from(data?.['tls.crt'] ?? '', 'base64'));
}
