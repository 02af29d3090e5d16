import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Cluster, startCluster } from './harness/start-cluster.ts';
import type { Terminal } from './harness/terminal.ts';

let cluster: Cluster;
let terminal: Terminal;

beforeAll(async () => {
  cluster = await startCluster();
  terminal = cluster.terminal;
});

afterAll(() => cluster?.stop());

const label = '"c d": a valid label must be an empty string or consist of alphanumeric characters';

describe('Refusals that quote the mistake', () => {
  it.each([
    ['get pod nobody', 'Error from server (NotFound): pods "nobody" not found'],
    ['get deployment nobody', 'Error from server (NotFound): deployments.apps "nobody" not found'],
    ['get namespace nobody', 'Error from server (NotFound): namespaces "nobody" not found'],
    ['get gadgets', `error: the server doesn't have a resource type "gadgets"`],
    ['run late -n nowhere --image=nginx', 'Error from server (NotFound): namespaces "nowhere" not found'],
    [
      `get pods -l 'tier in frontend'`,
      `Error from server (BadRequest): Unable to find "/v1, Resource=pods" that match label selector "tier in frontend", field selector "": unable to parse requirement: found 'frontend' expected: '('`,
    ],
    [
      `get pods -l 'tier=a b'`,
      `Error from server (BadRequest): Unable to find "/v1, Resource=pods" that match label selector "tier=a b", field selector "": found 'b', expected: ',' or 'end of string'`,
    ],
    [
      'get pods --field-selector spec.color=red',
      'Error from server (BadRequest): Unable to find "/v1, Resource=pods" that match label selector "", field selector "spec.color=red": field label not supported: spec.color',
    ],
    [
      'get --raw /apis/nobody/v1',
      'Error from server (NotFound): the server could not find the requested resource',
    ],
  ])("kubectl %s is refused with Kubernetes' message", async (command, complaint) => {
    expect(await terminal.refused(`kubectl ${command}`)).toBe(complaint);
  });

  it('A Pod with a wrong name and wrong labels is refused with all causes at once', async () => {
    const complaint = await terminal.refused('kubectl apply -f conformance/manifests/bad-names.yaml');
    const [head, ...causes] = complaint.split('\n');
    expect(head?.trim()).toBe('The Pod "Web_1" is invalid:');
    expect(causes.map((cause) => cause.split(': ').slice(0, 3).join(': '))).toEqual([
      '* metadata.name: Invalid value: "Web_1"',
      '* metadata.labels: Invalid value: "a b"',
      '* metadata.labels: Invalid value: "c d"',
    ]);
    expect(complaint).toContain(label);
    expect(await terminal.lines('kubectl get pods -o name')).toEqual([]);
  });

  it("A Subscription with a wrong selector is refused with the selector's mistake", async () => {
    expect(await terminal.refused('kubectl apply -f conformance/manifests/bad-selector.yaml')).toBe(
      `The Subscription "bad" is invalid: spec.labelSelector: Invalid value: "tier in frontend": unable to parse requirement: found 'frontend' expected: '('`,
    );
  });
});
