import { describe, expect, it } from '@jest/globals';
import type { Collection, JsonObject } from '../../../../lib/json/index.ts';
import { type Selection, selectionsOf } from '../../../../lib/kubernetes/carriers/index.ts';

const LABELS = { app: 'web' };
const TERM = { matchExpressions: [{ key: 'disk', operator: 'In', values: ['ssd'] }] };

/** A selection in one line: path, target, namespaces (`*`: all), selector, fields, namespaceSelector. */
function line({ path, target, namespaces, selector, fields, namespaceSelector }: Selection): string {
  const where = namespaces?.join('+') ?? '*';
  const more = [
    fields.isEmpty ? '' : ` where ${fields}`,
    namespaceSelector ? ` in <${namespaceSelector}>` : '',
  ];
  return `${path}: ${target} ${where} <${selector}>${more.join('')}`;
}

function linesOf(collection: Collection, body: JsonObject, namespace = 'default'): string[] {
  return selectionsOf({ collection, namespace, body }).map(line);
}

describe('the selector of a workload for its own pods', () => {
  const own = (path: string, selector: string) => [`${path}: core/pods default <${selector}>`];
  const map = LABELS;
  const selector = { matchLabels: LABELS };

  it.each<[Collection, JsonObject, string[]]>([
    ['core/services', { spec: { selector: map } }, own('spec.selector', 'app=web')],
    ['core/services', { spec: { selector: {} } }, []],
    ['core/services', { spec: {} }, []],
    ['core/services', { spec: { type: 'ExternalName', selector: map } }, []],
    ['core/replicationcontrollers', { spec: { selector: map } }, own('spec.selector', 'app=web')],
    ['core/replicationcontrollers', { spec: { selector: {} } }, []],
    ['apps/replicasets', { spec: { selector } }, own('spec.selector', 'app=web')],
    ['apps/replicasets', { spec: { selector: {} } }, []],
    ['apps/replicasets', { spec: {} }, []],
    ['apps/deployments', { spec: { selector } }, own('spec.selector', 'app=web')],
    ['apps/deployments', { spec: { selector: {} } }, []],
    ['apps/statefulsets', { spec: { selector } }, own('spec.selector', 'app=web')],
    ['apps/statefulsets', { spec: { selector: {} } }, []],
    ['apps/daemonsets', { spec: { selector } }, own('spec.selector', 'app=web')],
    ['apps/daemonsets', { spec: { selector: {} } }, []],
    ['batch/jobs', { spec: { selector } }, own('spec.selector', 'app=web')],
    ['batch/jobs', { spec: { selector: {} } }, own('spec.selector', '')],
    ['batch/jobs', { spec: {} }, []],
    [
      'batch/cronjobs',
      { spec: { jobTemplate: { spec: { selector } } } },
      own('spec.jobTemplate.spec.selector', 'app=web'),
    ],
    ['batch/cronjobs', { spec: { jobTemplate: { spec: {} } } }, []],
    ['policy/poddisruptionbudgets', { spec: { selector } }, own('spec.selector', 'app=web')],
    ['policy/poddisruptionbudgets', { spec: { selector: {} } }, own('spec.selector', '')],
    ['policy/poddisruptionbudgets', { spec: {} }, []],
    [
      'networking.k8s.io/networkpolicies',
      { spec: { podSelector: selector } },
      own('spec.podSelector', 'app=web'),
    ],
    ['networking.k8s.io/networkpolicies', { spec: { podSelector: {} } }, own('spec.podSelector', '')],
    ['networking.k8s.io/networkpolicies', { spec: {} }, own('spec.podSelector', '')],
    ['core/configmaps', { spec: { selector } }, []],
  ])('selectionsOf reads the pod selector of %s %j', (collection, body, lines) => {
    expect(linesOf(collection, body)).toEqual(lines);
  });

  it('a malformed selector gives no selection', () => {
    expect(linesOf('core/services', { spec: { selector: 'app=web' } })).toEqual([]);
    expect(linesOf('policy/poddisruptionbudgets', { spec: { selector: { matchLabels: 1 } } })).toEqual([]);
  });
});

describe('the peers of a NetworkPolicy', () => {
  const peers = (from: JsonObject[]) =>
    linesOf('networking.k8s.io/networkpolicies', { spec: { ingress: [{ from }] } }).slice(1);
  const web = { matchLabels: LABELS };
  const prod = { matchLabels: { env: 'prod' } };

  it("a peer selects pods of the policy's namespace or of the selected namespaces", () => {
    expect(
      peers([
        { podSelector: web },
        { podSelector: web, namespaceSelector: prod },
        { namespaceSelector: prod },
      ]),
    ).toEqual([
      'spec.ingress[0].from[0]: core/pods default <app=web>',
      'spec.ingress[0].from[1]: core/pods * <app=web> in <env=prod>',
      'spec.ingress[0].from[2]: core/pods * <> in <env=prod>',
    ]);
  });

  it('a peer with an ipBlock gives no selection', () => {
    expect(peers([{ ipBlock: { cidr: '10.0.0.0/8' } }])).toEqual([]);
  });

  it('selectionsOf reads the peers of ingress and egress', () => {
    const spec: JsonObject = { egress: [{}, { to: [{ podSelector: {} }] }] };
    expect(linesOf('networking.k8s.io/networkpolicies', { spec })).toEqual([
      'spec.podSelector: core/pods default <>',
      'spec.egress[1].to[0]: core/pods default <>',
    ]);
  });
});

describe('The nodes that a pod may run on', () => {
  const required = (...nodeSelectorTerms: JsonObject[]) => ({
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } },
  });
  const at = 'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms';

  it.each<[string, JsonObject, string[]]>([
    ['none asked for', {}, []],
    ['an empty nodeSelector', { nodeSelector: {} }, []],
    ['a nodeSelector', { nodeSelector: LABELS }, ['spec.nodeSelector: core/nodes * <app=web>']],
    ['an affinity', { affinity: required(TERM) }, [`${at}[0]: core/nodes * <disk in (ssd)>`]],
    [
      'both',
      { nodeSelector: LABELS, affinity: required({}, TERM) },
      [`${at}[1]: core/nodes * <app=web,disk in (ssd)>`],
    ],
    ['terms that match nothing', { nodeSelector: LABELS, affinity: required({}) }, []],
    [
      'a field',
      {
        affinity: required({
          matchFields: [{ key: 'metadata.name', operator: 'In', values: ['node-1'] }],
        }),
      },
      [`${at}[0]: core/nodes * <> where metadata.name=node-1`],
    ],
  ])('selectionsOf reads the nodes of a pod: %s', (_title, spec, lines) => {
    expect(linesOf('core/pods', { spec })).toEqual(lines);
  });

  it.each<[Collection, string, (spec: JsonObject) => JsonObject]>([
    ['core/podtemplates', 'template.spec', (spec) => ({ template: { spec } })],
    ['core/replicationcontrollers', 'spec.template.spec', (spec) => ({ spec: { template: { spec } } })],
    ['apps/daemonsets', 'spec.template.spec', (spec) => ({ spec: { template: { spec } } })],
    [
      'batch/cronjobs',
      'spec.jobTemplate.spec.template.spec',
      (spec) => ({ spec: { jobTemplate: { spec: { template: { spec } } } } }),
    ],
  ])('selectionsOf reads the nodes of the pod template of %s', (collection, path, body) => {
    expect(linesOf(collection, body({ nodeSelector: LABELS }))).toEqual([
      `${path}.nodeSelector: core/nodes * <app=web>`,
    ]);
  });

  it('selectionsOf reads the nodes of a PersistentVolume and of a RuntimeClass', () => {
    const nodeAffinity = { required: { nodeSelectorTerms: [TERM] } };
    expect(linesOf('core/persistentvolumes', { spec: { nodeAffinity } }, '')).toEqual([
      'spec.nodeAffinity.required.nodeSelectorTerms[0]: core/nodes * <disk in (ssd)>',
    ]);
    expect(linesOf('node.k8s.io/runtimeclasses', { scheduling: { nodeSelector: LABELS } }, '')).toEqual([
      'scheduling.nodeSelector: core/nodes * <app=web>',
    ]);
  });
});

describe('the pods of a required pod affinity or anti-affinity', () => {
  const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
  const at = `spec.affinity.podAntiAffinity.${REQUIRED}`;
  const labelSelector = { matchLabels: LABELS };
  const lines = (term: JsonObject) =>
    linesOf('core/pods', { spec: { affinity: { podAntiAffinity: { [REQUIRED]: [term] } } } });

  it.each<[JsonObject, string[]]>([
    [{ labelSelector }, [`${at}[0]: core/pods default <app=web>`]],
    [{}, []],
    [{ labelSelector, namespaces: ['a', 'b'] }, [`${at}[0]: core/pods a+b <app=web>`]],
    [{ labelSelector, namespaceSelector: {} }, [`${at}[0]: core/pods * <app=web> in <>`]],
    [
      { labelSelector, namespaces: ['a'], namespaceSelector: { matchLabels: { env: 'prod' } } },
      [`${at}[0].namespaces: core/pods a <app=web>`, `${at}[0]: core/pods * <app=web> in <env=prod>`],
    ],
  ])('selectionsOf reads the anti-affinity term %j', (term, expected) => {
    expect(lines(term)).toEqual(expected);
  });
});

describe('the selection of a Subscription', () => {
  const resource = { group: 'apps', resource: 'deployments' };

  it.each<[JsonObject, string[]]>([
    [{ resource }, ['spec.selector: apps/deployments default <>']],
    [{ resource: { resource: 'pods' }, namespaces: 'All' }, ['spec.selector: core/pods * <>']],
    [{ resource, selector: {} }, ['spec.selector: apps/deployments default <>']],
    [{ resource, selector: { matchLabels: LABELS } }, ['spec.selector: apps/deployments default <app=web>']],
    [{ resource, labelSelector: 'app' }, ['spec.labelSelector: apps/deployments default <app>']],
    [
      { resource: { resource: 'pods' }, fieldSelector: 'status.phase!=Running' },
      ['spec.selector: core/pods default <> where status.phase!=Running'],
    ],
    [
      { resource, namespaceSelector: { matchLabels: LABELS } },
      ['spec.selector: apps/deployments * <> in <app=web>'],
    ],
    [{ resource, labelSelector: '=' }, []],
    [{ resource, fieldSelector: 'phase' }, []],
  ])('selectionsOf reads the Subscription spec %j', (spec, lines) => {
    expect(linesOf('winnow.dev/subscriptions', { spec })).toEqual(lines);
  });
});
