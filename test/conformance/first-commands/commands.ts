/** A command that a new user types, and its expected output. */
export interface FirstCommand {
  readonly command: string;
  /** A pattern for its output, or for the error message of a command that must be refused. */
  readonly says: RegExp;
  readonly isRefused?: true;
  /** The minor version of the first kubectl that uses a version of the API that Winnow serves. */
  readonly since?: number;
}

const SETTINGS = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: settings }\ndata: { color: COLOR }\n';
const DEVICE =
  'apiVersion: fleet.example/v1\nkind: Device\nmetadata: { name: cam-3 }\nspec: { model: x2, state: lost }\n';
const POD =
  'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec: { containers: [{ name: c, image: i, imag: j }] }\n';

/** The manifests that the commands use and `examples/` does not have. */
export const MANIFESTS: Readonly<Record<string, string>> = {
  'blue.yaml': SETTINGS.replace('COLOR', 'blue'),
  'red.yaml': SETTINGS.replace('COLOR', 'red'),
  'lost-device.yaml': DEVICE,
  'misspelled-pod.yaml': POD,
};

/** The first commands of a user who knows Kubernetes, in a folder with `examples/` and the manifests. */
export const FIRST_COMMANDS: readonly FirstCommand[] = [
  { command: 'kubectl create namespace fleet', says: /^namespace\/fleet created$/ },
  { command: 'kubectl config set-context --current --namespace fleet', says: /modified\.$/ },
  {
    command: 'kubectl create configmap colors --from-literal=sky=blue',
    says: /^configmap\/colors created$/,
  },
  { command: 'kubectl create deployment web --image=nginx', says: /^deployment\.apps\/web created$/ },
  { command: 'kubectl scale deployment web --replicas=3', says: /^deployment\.apps\/web scaled$/ },
  { command: 'kubectl get deployment web', says: /^NAME +READY .*\nweb +0\/3 / },
  { command: 'kubectl describe deployment web', says: /^Replicas: +3 desired \| 0 updated/m },
  { command: 'kubectl auth can-i create deployments', says: /^yes$/ },
  { command: 'kubectl auth can-i --list', says: /^\*\.\* +\[\] +\[\] +\[\*\]$/m },
  { command: 'kubectl auth whoami', says: /^Username +local$/m, since: 28 },
  {
    command: 'kubectl apply -f examples/device-definition.yaml',
    says: /^customresourcedefinition\.apiextensions\.k8s\.io\/devices\.fleet\.example created$/,
  },
  { command: 'kubectl apply -f examples/devices.yaml', says: /cam-1 created\n.*cam-2 created$/ },
  {
    command: 'kubectl get devices',
    says: /^NAME +MODEL +STATE\ncam-1 +x2 +active\ncam-2 +x2 +retired$/,
  },
  { command: 'kubectl get devices -l site=north -o name', says: /^device\.fleet\.example\/cam-1$/ },
  {
    command: 'kubectl get devices --field-selector spec.state=retired -o name',
    says: /^device\.fleet\.example\/cam-2$/,
  },
  {
    command: 'kubectl apply -f lost-device.yaml',
    says: /spec\.state: Unsupported value: "lost": supported values: "active", "retired"/,
    isRefused: true,
  },
  {
    command: 'kubectl explain device.spec.state',
    says: /FIELD: state <string>(.|\n)*Whether it is in use\./,
  },
  {
    command: 'kubectl apply -f examples/subscription.yaml',
    says: /^subscription\.winnow\.dev\/north created$/,
  },
  {
    command: "kubectl wait subscription/north --for=jsonpath='{.status.phase}'=Synced",
    says: /^subscription\.winnow\.dev\/north condition met$/,
  },
  {
    command: 'kubectl apply --server-side -f blue.yaml',
    says: /^configmap\/settings serverside-applied$/,
  },
  {
    command: 'kubectl apply --server-side --field-manager=somebody -f red.yaml',
    says: /conflict with "kubectl": \.data\.color/,
    isRefused: true,
  },
  {
    command: 'kubectl apply --server-side --field-manager=somebody --force-conflicts -f red.yaml',
    says: /^configmap\/settings serverside-applied$/,
  },
  {
    command: 'kubectl explain pod.spec.containers.livenessProbe.httpGet.port',
    says: /FIELD: port <IntOrString>/,
  },
  {
    command: 'kubectl apply -f misspelled-pod.yaml',
    says: /unknown field "spec\.containers\[0\]\.imag"/,
    isRefused: true,
  },
  {
    command: 'kubectl delete deployment web --cascade=foreground',
    says: /^deployment\.apps "web" deleted( from fleet namespace)?$/,
  },
  { command: 'kubectl delete namespace fleet', says: /^namespace "fleet" deleted$/ },
];
