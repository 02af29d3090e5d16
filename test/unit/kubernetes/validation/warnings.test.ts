import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../../lib/json/index.ts';
import { warningsOf } from '../../../../lib/kubernetes/validation/index.ts';

const pod = (spec: JsonObject, metadata: JsonObject = {}): JsonObject => ({ metadata, spec });
const container = (more: JsonObject): JsonObject => pod({ containers: [{ name: 'c', ...more }] });
const PEM = '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n';

describe('the warnings of a write', () => {
  it.each<[string, string, JsonObject, readonly string[]]>([
    ['nothing', 'Pod', container({ env: [{ name: 'A' }, { name: 'B' }], ports: [{ containerPort: 1 }] }), []],
    [
      'labels that nodes have no more',
      'Pod',
      pod({ nodeSelector: { 'failure-domain.beta.kubernetes.io/zone': 'a' } }),
      [
        'spec.nodeSelector[failure-domain.beta.kubernetes.io/zone]: deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
      ],
    ],
    [
      'annotations that do nothing',
      'Pod',
      pod({}, { annotations: { 'scheduler.alpha.kubernetes.io/critical-pod': '' } }),
      [
        'metadata.annotations[scheduler.alpha.kubernetes.io/critical-pod]: non-functional in v1.16+; use the "priorityClassName" field instead',
      ],
    ],
    [
      'variables that are there twice',
      'Pod',
      container({ env: [{ name: 'A' }, { name: 'A' }] }),
      ['spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply'],
    ],
    [
      'ports that are there twice',
      'Pod',
      container({ ports: [{ containerPort: 1 }, { containerPort: 1, hostPort: 2 }, { containerPort: 1 }] }),
      ['spec.containers[0].ports[2]: duplicate port definition with spec.containers[0].ports[0]'],
    ],
    [
      'parts of a byte',
      'Pod',
      container({ resources: { requests: { memory: '1500m', cpu: '1500m' } } }),
      [
        'spec.containers[0].resources.requests[memory]: fractional byte value "1500m" is invalid, must be an integer',
      ],
    ],
    [
      'a certificate that is none',
      'Secret',
      { type: 'kubernetes.io/tls', stringData: { 'tls.crt': 'a' } },
      ['tls: failed to find any PEM data in certificate input'],
    ],
    [
      'a certificate',
      'Secret',
      { type: 'kubernetes.io/tls', data: { 'tls.crt': Buffer.from(PEM).toString('base64') } },
      [],
    ],
    [
      'volumes that are recycled',
      'PersistentVolume',
      { spec: { persistentVolumeReclaimPolicy: 'Recycle' } },
      [
        'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
      ],
    ],
  ])('warningsOf warns of %s', (_, kind, body, expected) => {
    expect(warningsOf(kind, body, true)).toEqual(expected);
  });

  it('warningsOf warns about a pod only when the pod is created', () => {
    expect(warningsOf('Pod', container({ env: [{ name: 'A' }, { name: 'A' }] }), false)).toEqual([]);
  });
});
