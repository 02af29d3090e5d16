import { networkInterfaces } from 'node:os';
import { freePort } from '../background.ts';
import { Missing, type Server } from '../client.ts';

const NAMESPACE = 'cert-manager';
const NAME = 'cert-manager-webhook';
const HOST = `${NAME}.${NAMESPACE}.svc`;
const LABELS = { 'app.kubernetes.io/name': 'webhook' };

/**
 * Creates the objects by which cert-manager's chart has its webhook called: the Service, a ready pod that stands for
 * the program, and the configurations.
 *
 * @returns the program's flags
 * @throws {Missing} the machine has no address besides loopback, which no pod may have
 */
export async function installWebhook({ http, kubeconfig }: Server): Promise<string[]> {
  const [port, health] = [await freePort(), await freePort()];
  await http.post('/api/v1/namespaces', { metadata: { name: NAMESPACE } });
  const namespace = `/api/v1/namespaces/${NAMESPACE}`;
  await http.post(`${namespace}/services`, {
    metadata: { name: NAME },
    spec: { selector: LABELS, ports: [{ name: 'https', port: 443, targetPort: 'https' }] },
  });
  const ports = [{ name: 'https', containerPort: port }];
  await http.post(`${namespace}/pods`, {
    metadata: { name: NAME, labels: LABELS },
    spec: { nodeName: 'here', containers: [{ name: 'webhook', image: 'i', ports }] },
  });
  const podIP = ownAddress();
  const conditions = [{ type: 'Ready', status: 'True' }];
  const status = { phase: 'Running', podIP, podIPs: [{ ip: podIP }], conditions };
  await http.merge(`${namespace}/pods/${NAME}/status`, { status });
  await register(http, 'mutating', {
    apiGroups: ['cert-manager.io'],
    operations: ['CREATE'],
    resources: ['certificaterequests'],
  });
  await register(http, 'validating', {
    apiGroups: ['cert-manager.io', 'acme.cert-manager.io'],
    operations: ['CREATE', 'UPDATE'],
    resources: ['*/*'],
  });
  return [
    `--kubeconfig=${kubeconfig}`,
    `--secure-port=${port}`,
    `--healthz-port=${health}`,
    '--metrics-listen-address=0',
    `--dynamic-serving-ca-secret-namespace=${NAMESPACE}`,
    `--dynamic-serving-ca-secret-name=${NAME}-ca`,
    `--dynamic-serving-dns-names=${HOST}`,
  ];
}

function ownAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((some) => some ?? []);
  const own = all.find(({ family, internal }) => family === 'IPv4' && !internal);
  if (own === undefined) throw new Missing('this machine has no IPv4 address besides loopback');
  return own.address;
}

/** Registers the webhook, without the authority of its certificate: the CA injector adds it. */
async function register(
  http: Server['http'],
  kind: 'mutating' | 'validating',
  rule: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  const path = kind === 'mutating' ? '/mutate' : '/validate';
  await http.post(`/apis/admissionregistration.k8s.io/v1/${kind}webhookconfigurations`, {
    metadata: {
      name: NAME,
      annotations: { 'cert-manager.io/inject-ca-from-secret': `${NAMESPACE}/${NAME}-ca` },
    },
    webhooks: [
      {
        name: 'webhook.cert-manager.io',
        rules: [{ ...rule, apiVersions: ['v1'] }],
        clientConfig: { service: { namespace: NAMESPACE, name: NAME, path } },
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
      },
    ],
  });
}
