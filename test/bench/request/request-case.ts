import type { FunctionName } from '../../../lib/platform/function-names.ts';
import { podOf } from '../list/list-objects.ts';
import { proxyEvent } from '../proxy-event.ts';

/** A request of one verb, made again and again: each time a `turn` that was never before. */
export interface RequestCase {
  readonly name: string;
  readonly function: Extract<FunctionName, 'read' | 'write'>;
  readonly status: number;
  event(turn: number): unknown;
  /** What is written before each turn, and not measured. */
  before?(turn: number): unknown;
  /** Whether the CPU time has a bar. */
  readonly barred: boolean;
}

/** The pods that are listed. Ten of them carry `ten`. */
export const PODS = 1_200;
const TEN_EVERY = PODS / 10;

/** Written objects are of a collection of their own. What is written bare goes to another one, the same in all else. */
export const WRITTEN = { ours: 'apps/deployments', bare: 'apps/deploymentz' };

const PODS_PATH = '/api/v1/namespaces/default/pods';
const DEPLOYMENTS_PATH = '/apis/apps/v1/namespaces/default/deployments';

export function createPod(index: number) {
  const name = `pod-${String(index).padStart(5, '0')}`;
  const labels = { ...fourLabels(index), ...(index % TEN_EVERY === 7 && { ten: 'yes' }) };
  return proxyEvent('POST', PODS_PATH, { body: podOf({ namespace: 'default', name }, '', labels) });
}

const list = (labelSelector: string) => () => proxyEvent('GET', PODS_PATH, { query: { labelSelector } });

const patchStatus = (path: string, status: object) =>
  proxyEvent('PATCH', `${path}/status`, {
    contentType: 'application/merge-patch+json',
    body: { status },
  });

export const REQUEST_CASES: readonly RequestCase[] = [
  {
    name: 'get',
    function: 'read',
    status: 200,
    barred: true,
    event: (turn) => proxyEvent('GET', `${PODS_PATH}/pod-${String(turn % PODS).padStart(5, '0')}`),
  },
  { name: 'list of nothing', function: 'read', status: 200, barred: true, event: list('ten=no') },
  { name: 'list of 10', function: 'read', status: 200, barred: true, event: list('ten=yes') },
  {
    name: 'list of 10 after a write',
    function: 'read',
    status: 200,
    barred: true,
    before: (turn) => patchStatus(`${PODS_PATH}/pod-00003`, { message: `turn ${turn}` }),
    event: list('ten=yes'),
  },
  {
    name: 'create',
    function: 'write',
    status: 201,
    barred: true,
    event: (turn) => proxyEvent('POST', DEPLOYMENTS_PATH, { body: deploymentOf(turn) }),
  },
  {
    name: 'status patch',
    function: 'write',
    status: 200,
    barred: false,
    event: (turn) => patchStatus(`${DEPLOYMENTS_PATH}/deployment-${turn}`, { replicas: 3, readyReplicas: 2 }),
  },
  {
    name: 'delete',
    function: 'write',
    status: 200,
    barred: false,
    event: (turn) => proxyEvent('DELETE', `${DEPLOYMENTS_PATH}/deployment-${turn}`),
  },
];

export const isWrite = (one: RequestCase): boolean => one.function === 'write';

function fourLabels(index: number) {
  return { app: `a${index % 20}`, tier: `t${index % 3}`, zone: `z${index % 4}`, release: 'stable' };
}

/** The create of a Deployment that the third matching policy denies. */
export function refusedDeployment() {
  const deployment = deploymentOf(0);
  const body = { ...deployment, spec: { ...deployment.spec, replicas: 11 } };
  return proxyEvent('POST', DEPLOYMENTS_PATH, { body });
}

/** Of about 1 KB, with four labels. */
function deploymentOf(turn: number) {
  const { spec, metadata } = podOf(
    { namespace: 'default', name: `deployment-${turn}` },
    '',
    fourLabels(turn),
  );
  const labels = { app: `a${turn % 20}` };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata,
    spec: {
      replicas: 3,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec },
    },
  };
}
