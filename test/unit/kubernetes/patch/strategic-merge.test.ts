import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../../lib/json/index.ts';
import { PatchFailedError, PatchSyntaxError } from '../../../../lib/kubernetes/patch/index.ts';
import { caught, patched } from './patched.ts';

interface RecordedCase {
  how: string;
  group: string;
  kind: string;
  original: JsonObject;
  patch: JsonObject;
  result?: JsonObject;
  refused?: true;
}

const [header, ...lines] = readFileSync(new URL('strategic-merge-cases.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n');
const cases: RecordedCase[] = lines.map((line) => JSON.parse(line));

function merged(target: object, patch: unknown, group = '', kind = 'Pod'): JsonObject {
  const type = { apiVersion: group === '' ? 'v1' : `${group}/v1`, kind, builtin: true };
  const asJson: JsonObject = JSON.parse(JSON.stringify(target));
  return patched({ contentType: 'application/strategic-merge-patch+json', patch, target: asJson, type });
}

describe('strategic merge patch', () => {
  it('the recorded cases come from the real apimachinery package', () => {
    expect(JSON.parse(header ?? '').recordedFrom).toContain('k8s.io/apimachinery');
    expect(cases.length).toBeGreaterThan(70);
  });

  it.each(cases.map((recorded, index) => ({ ...recorded, line: index + 2 })))(
    'a strategic merge gives the result of Kubernetes: line $line, $kind, $how',
    ({ group, kind, original, patch, result, refused }) => {
      if (refused) {
        expect(refusal(() => merged(original, patch, group, kind))).toBe(true);
      } else {
        expect(merged(original, patch, group, kind)).toEqual(result);
      }
    },
  );

  it('$retainKeys removes all other keys', () => {
    const target = {
      spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } }, replicas: 2 },
    };
    const patch = { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } };
    expect(merged(target, patch, 'apps', 'Deployment')).toEqual({
      spec: { strategy: { type: 'Recreate' }, replicas: 2 },
    });
  });

  it("a strategic merge follows each kind's fields: a budget's conditions merge, its selector is replaced", () => {
    const target = {
      spec: { selector: { matchLabels: { app: 'web' } } },
      status: { conditions: [{ type: 'A' }] },
    };
    const patch = {
      spec: { selector: { matchExpressions: [] } },
      status: { conditions: [{ type: 'B', status: 'True' }] },
    };
    expect(merged(target, patch, 'policy', 'PodDisruptionBudget')).toEqual({
      spec: { selector: { matchExpressions: [] } },
      status: { conditions: [{ type: 'B', status: 'True' }, { type: 'A' }] },
    });
  });

  it('inside a replaced value, $patch: replace keeps its content and $patch: delete removes it', () => {
    const inner = { $patch: 'replace', app: 'db' };
    const patch = { metadata: { $patch: 'replace', labels: inner, annotations: { $patch: 'delete' } } };
    expect(merged({ metadata: { name: 'x' } }, patch)).toEqual({ metadata: { labels: { app: 'db' } } });
  });

  it('a strategic merge identifies container ports by containerPort and Service ports by port', () => {
    const container = { spec: { containers: [{ name: 'c', ports: [{ containerPort: 80, name: 'a' }] }] } };
    expect(
      merged(container, {
        spec: { containers: [{ name: 'c', ports: [{ containerPort: 80, hostPort: 1 }] }] },
      }),
    ).toEqual({
      spec: { containers: [{ name: 'c', ports: [{ containerPort: 80, name: 'a', hostPort: 1 }] }] },
    });
    const service = { spec: { ports: [{ port: 80, name: 'a' }] } };
    expect(merged(service, { spec: { ports: [{ port: 80, targetPort: 8080 }] } }, '', 'Service')).toEqual({
      spec: { ports: [{ port: 80, name: 'a', targetPort: 8080 }] },
    });
  });

  it('a strategic merge changes the first of two ports with one number and keeps both', () => {
    const ports = [{ port: 53, protocol: 'UDP' }, { port: 80 }, { port: 53, protocol: 'TCP' }];
    const patch = { spec: { ports: [{ port: 53, name: 'dns' }] } };
    expect(merged({ spec: { ports } }, patch, '', 'Service').spec).toEqual({
      ports: [{ port: 53, protocol: 'UDP', name: 'dns' }, { port: 53, protocol: 'TCP' }, { port: 80 }],
    });
  });

  it('a strategic merge replaces atomic lists', () => {
    const target = { spec: { tolerations: [{ key: 'a' }, { key: 'b' }] } };
    expect(merged(target, { spec: { tolerations: [{ key: 'c' }] } })).toEqual({
      spec: { tolerations: [{ key: 'c' }] },
    });
  });

  it('a strategic merge adds no nulls and no directives to the object', () => {
    const added = {
      name: 'c',
      image: null,
      '$setElementOrder/env': [{ name: 'A' }],
      env: [{ name: 'A' }, { $patch: 'delete', name: 'B' }],
    };
    expect(merged({ spec: { containers: [] } }, { spec: { containers: [added] } })).toEqual({
      spec: { containers: [{ name: 'c', env: [{ name: 'A' }] }] },
    });
    expect(merged({ spec: { a: { b: 1 } } }, { spec: { a: { $patch: 'replace', c: null, d: 1 } } })).toEqual({
      spec: { a: { d: 1 } },
    });
  });

  it('a strategic merge merges only the metadata lists of a kind that has no lists of its own', () => {
    const target = { metadata: { finalizers: ['a'] }, containers: [{ name: 'a', x: 1 }] };
    const patch = { metadata: { finalizers: ['b'] }, containers: [{ name: 'a' }] };
    const result = merged(target, patch, '', 'ConfigMap');
    expect(result.containers).toEqual([{ name: 'a' }]);
    expect(result.metadata).toEqual({ finalizers: ['b', 'a'] });
  });

  it.each([
    ['$retainKeys that is not a list', { spec: { $retainKeys: 'a' } }],
    ['$retainKeys that misses a key of the patch', { spec: { $retainKeys: ['a'], b: 1 } }],
    ['$setElementOrder that is not a list', { spec: { '$setElementOrder/containers': {} } }],
    ['$setElementOrder that names no list', { spec: { $setElementOrder: [] } }],
    ['$deleteFromPrimitiveList that is null', { metadata: { '$deleteFromPrimitiveList/finalizers': null } }],
    ['$deleteFromPrimitiveList of objects', { metadata: { '$deleteFromPrimitiveList/finalizers': [{}] } }],
    ['an unknown $patch', { metadata: { $patch: 'merge' } }],
    ['an unknown $patch in an element', { spec: { containers: [{ $patch: 'merge', name: 'a' }] } }],
  ])('a strategic merge refuses %s as malformed', (_, patch) => {
    const target = { metadata: { finalizers: ['a'] }, spec: { containers: [{ name: 'a' }] } };
    expect(caught(() => merged(target, patch))).toBeInstanceOf(PatchSyntaxError);
  });

  it('a strategic merge refuses an element without its merge key, and names the key', () => {
    const error = caught(() =>
      merged({ spec: { containers: [{ name: 'a' }] } }, { spec: { containers: [{ image: 'x' }] } }),
    );
    expect(error).toBeInstanceOf(PatchFailedError);
    expect(error).toHaveProperty('message', '{"image":"x"} does not contain declared merge key: name');
  });

  it('a strategic merge treats keys like __proto__ as plain keys', () => {
    const patch = JSON.parse(
      '{"metadata":{"labels":{"__proto__":"p","constructor":"c","toString":null}},"__proto__":{"polluted":true}}',
    );
    const target = JSON.parse('{"metadata":{"labels":{"toString":"s","__proto__":"old"}}}');
    const result = merged(target, patch);
    expect(JSON.stringify(result)).toBe(
      '{"metadata":{"labels":{"__proto__":"p","constructor":"c"}},"__proto__":{"polluted":true}}',
    );
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    expect('polluted' in {}).toBe(false);
  });

  it('the time to reorder a list grows with its length, not with the square of its length', () => {
    reorder(1_000);
    const [short, long] = [1_000, 20_000].map((length) => Math.min(...[1, 2, 3].map(() => reorder(length))));
    // The ratio is 20 for linear time and 400 for quadratic time.
    expect(Number(long) / Number(short)).toBeLessThan(100);
  });
});

function refusal(act: () => unknown): boolean {
  const error = caught(act);
  return error instanceof PatchSyntaxError || error instanceof PatchFailedError;
}

/** Merges a list of `length` elements with itself in reverse order. Returns the CPU time in microseconds. */
function reorder(length: number): number {
  const containers = Array.from({ length }, (_, index) => ({ name: `c${index}` }));
  const patch = {
    spec: {
      '$setElementOrder/containers': [...containers].reverse(),
      containers: [...containers].reverse().map(({ name }) => ({ name, image: 'x' })),
    },
  };
  const began = process.cpuUsage();
  const result = merged({ spec: { containers } }, patch);
  const { user: taken } = process.cpuUsage(began);
  expect(result.spec).toHaveProperty('containers.0', { name: `c${length - 1}`, image: 'x' });
  return taken;
}
