import { equal, match } from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '../../support/eventually.ts';
import { expectNoFault, freePort, runInBackground } from '../background.ts';
import type { Attempt, Client, Server } from '../client.ts';
import { buildPackage } from '../go-module.ts';
import { kubectlTerminal, refusedByWebhook, requireKubectl } from '../kubectl.ts';
import { createDefinitions, untilThere } from '../objects.ts';
import { trySteps } from '../outcome-of.ts';

const VERSION = 'v1.19.1';
const MODULE = 'github.com/kyverno/kyverno';

/** Kyverno's admission controller, built from its Go module. It registers its webhooks by URL. */
export const kyverno: Client = {
  name: 'kyverno',
  title: `Kyverno ${VERSION.slice(1)}, admission controller`,
  service: { newestSchema: true, webhooks: 'services' },
  install: async (folder) => {
    await requireKubectl();
    const program = join(folder, 'kyverno');
    const source = await buildPackage(`${MODULE}@${VERSION}`, './cmd/kyverno', { folder, program });
    const folders = ['kyverno', 'policies.kyverno.io', 'policyreport', 'reports'];
    const definitions: string[] = [];
    for (const one of folders.map((name) => join(source, 'config/crds', name))) {
      definitions.push(...(await readdir(one)).map((name) => join(one, name)));
    }
    return attempt(program, definitions);
  },
};

const NAMESPACE = 'kyverno';
const CONFIGURATIONS = '/apis/admissionregistration.k8s.io/v1';

/** For policies whose status has no list of conditions. */
const READY = "--for=jsonpath='{.status.conditionStatus.ready}'=true";
/** Errors that it tries again, and that of the policy that it refuses. */
const PROVOKED =
  /error="(lease\S* \\"kyverno-health\\" not found|Operation cannot be fulfilled on )|> policy validation errors /;

function attempt(program: string, definitions: readonly string[]): Attempt {
  return async (server, tell) => {
    const { http } = server;
    const terminal = kubectlTerminal(server);
    await createDefinitions(http, definitions);
    await http.post('/api/v1/namespaces', { metadata: { name: NAMESPACE } });
    const running = await start(program, server);
    const apply = async (file: string, ready = '--for=condition=Ready') => {
      await terminal.run(`kubectl apply -f ${fileOf(file)}`);
      await terminal.run(`kubectl wait ${ready} --timeout=40s -f ${fileOf(file)}`);
    };
    const steps: Readonly<Record<string, () => Promise<void>>> = {
      'registers its webhooks by URL': async () => {
        const cfg = (kind: string, what: string) =>
          `${CONFIGURATIONS}/${kind}webhookconfigurations/kyverno-${what}-${kind}-webhook-cfg`;
        for (const kind of ['validating', 'mutating']) await untilThere(http, cfg(kind, 'policy'));
      },
      'refuses an invalid policy': async () => {
        const refusal = await refusedByWebhook(terminal, `kubectl apply -f ${fileOf('invalid-policy.yaml')}`);
        match(refusal, /admission webhook "validate-policy\.kyverno\.svc" denied the request/);
      },
      'a ClusterPolicy that requires a label refuses a pod': async () => {
        await apply('required-label.yaml');
        const refusal = await terminal.refused('kubectl run web --image=nginx');
        match(refusal, /admission webhook "validate\.kyverno\.svc-fail" denied the request/);
        match(refusal, /the label team is missing/);
        match(
          await terminal.refused('kubectl run web --image=nginx --dry-run=server'),
          /label team is missing/,
        );
        await terminal.run('kubectl run web --image=nginx --labels=team=shop');
        match(await terminal.refused('kubectl label pod web team-'), /the label team is missing/);
      },
      'a mutating ClusterPolicy adds a label': async () => {
        await apply('added-label.yaml');
        await terminal.run('kubectl run api --image=nginx --labels=team=shop');
        equal(await terminal.run("kubectl get pod api -o jsonpath='{.metadata.labels.tier}'"), 'unknown');
      },
      'a ClusterPolicy that only audits warns': async () => {
        await apply('warned.yaml');
        const { output } = await terminal.either('kubectl create secret generic key --from-literal=a=b');
        match(output, /^secret\/key created$/m);
        match(output, /^Warning: .*the Secret has no owner/m);
      },
      'a ValidatingPolicy with a condition refuses a ConfigMap': async () => {
        await apply('required-label-cel.yaml', READY);
        const refusal = await terminal.refused('kubectl create configmap settings --from-literal=a=b');
        match(refusal, /denied the request: .*the ConfigMap has no team/);
        await terminal.run('kubectl create configmap kube-settings --from-literal=a=b');
      },
      'a MutatingPolicy adds a label': async () => {
        await apply('added-label-cel.yaml', READY);
        await terminal.run('kubectl create configmap kube-others --from-literal=a=b');
        const label = await terminal.run(
          "kubectl get configmap kube-others -o jsonpath='{.metadata.labels}'",
        );
        equal(label, '{"tier":"unknown"}');
      },
      'a deleted policy refuses nothing': async () => {
        await terminal.run('kubectl delete clusterpolicy required-label');
        await eventually('a pod without the label', async () => {
          const { code } = await terminal.either('kubectl run job --image=nginx');
          return code === 0;
        });
      },
      'a ClusterPolicy decides deletions, and scales by their subresource': async () => {
        await apply('protected.yaml');
        await terminal.run('kubectl create deployment shop --image=nginx');
        await terminal.run('kubectl label deployment shop protected=yes');
        const all = 'kubectl delete deployment --all';
        for (const line of ['kubectl delete deployment shop', all]) {
          match(await terminal.refused(line), /denied the request: .*shop is protected/s);
        }
        const scale = (replicas: number) => `kubectl scale deployment shop --replicas=${replicas}`;
        match(await terminal.refused(scale(4)), /a Deployment has at most three replicas/);
        await terminal.run(scale(3));
        await terminal.run('kubectl label deployment shop protected-');
        await terminal.run(all);
      },
      'logs only retries': async () => {
        expectNoFault([running], (line) => / (ERR|FTL) /.test(line) && !PROVOKED.test(line));
      },
    };
    try {
      await trySteps(steps, tell);
    } finally {
      terminal.close();
      await running.stop();
    }
  };
}

const fileOf = (name: string) => join(import.meta.dirname, name);

async function start(program: string, { home, kubeconfig }: Server) {
  const [port, metrics] = [await freePort(), await freePort()];
  const secret = `kyverno-svc.${NAMESPACE}.svc.kyverno-tls`;
  const options = {
    kubeconfig,
    serverIP: `127.0.0.1:${port}`,
    webhookServerHost: '127.0.0.1',
    webhookServerPort: port,
    metricsHost: '127.0.0.1',
    metricsPort: metrics,
    controllerRuntimeMetricsAddress: '0',
    caSecretName: `${secret}-ca`,
    tlsSecretName: `${secret}-pair`,
    disableLogColor: true,
  };
  const flags = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
  return runInBackground(program, flags, {
    HOME: home,
    KYVERNO_NAMESPACE: NAMESPACE,
    KYVERNO_SERVICEACCOUNT_NAME: 'kyverno',
    KYVERNO_DEPLOYMENT: 'kyverno',
    KYVERNO_POD_NAME: 'kyverno',
    INIT_CONFIG: 'kyverno',
    METRICS_CONFIG: 'kyverno-metrics',
  });
}
