import { describe, expect, it } from '@jest/globals';
import type { JsonObject, JsonValue } from '../../../../lib/json/index.ts';
import { readField, resourceTypes, writtenAs } from '../../../../lib/kubernetes/resource-types/index.ts';

const pod = { apiVersion: 'v1', kind: 'Pod' };
const job = { apiVersion: 'batch/v1', kind: 'Job' };
const event = { apiVersion: 'v1', kind: 'Event' };

describe('readField', () => {
  it('readField reads the fields of the object', () => {
    const body = {
      ...pod,
      metadata: { name: 'a', namespace: 'x' },
      spec: { hostNetwork: true },
      status: { phase: 'Failed' },
    };
    const fields = ['metadata.name', 'metadata.namespace', 'spec.hostNetwork', 'status.phase'];
    expect(fields.map((field) => readField(body, field))).toEqual(['a', 'x', 'true', 'Failed']);
  });

  it.each([
    [pod, 'status.phase', 'Pending'],
    [pod, 'spec.hostNetwork', 'false'],
    [pod, 'spec.restartPolicy', 'Always'],
    [pod, 'spec.nodeName', undefined],
    [{ apiVersion: 'v1', kind: 'Namespace' }, 'status.phase', 'Active'],
    [{ apiVersion: 'v1', kind: 'Node' }, 'spec.unschedulable', 'false'],
    [{ apiVersion: 'v1', kind: 'Secret' }, 'type', 'Opaque'],
    [{ apiVersion: 'apps/v1', kind: 'ReplicaSet' }, 'status.replicas', '0'],
    [{ apiVersion: 'other/v1', kind: 'Pod' }, 'status.phase', undefined],
  ])('readField reads %j with the default of Kubernetes for %s', (body, field, value) => {
    expect(readField(body, field)).toBe(value);
  });

  it('readField reads status.successful of a Job from status.succeeded', () => {
    expect(readField({ ...job, status: { succeeded: 3 } }, 'status.successful')).toBe('3');
    expect(readField(job, 'status.successful')).toBe('0');
  });

  it('readField reads the source of an Event from its source or its reporting component', () => {
    const source = { component: 'kubelet' };
    expect(readField({ ...event, source, reportingComponent: 'b' }, 'source')).toBe('kubelet');
    expect(readField({ ...event, reportingComponent: 'b' }, 'source')).toBe('b');
  });

  it('readField reads only own fields of objects', () => {
    expect(readField({ ...pod, spec: {} }, 'spec.constructor.name')).toBeUndefined();
    expect(readField({ ...pod, spec: null }, 'spec.nodeName')).toBeUndefined();
    expect(readField({ ...pod, spec: { nodeName: { a: 1 } } }, 'spec.nodeName')).toBeUndefined();
  });
});

it('readField returns a string or undefined for every selectable field of any body', () => {
  for (const { group, version, kind, fields } of resourceTypes) {
    const apiVersion = group === '' ? version : `${group}/${version}`;
    const bodies: JsonObject[] = [{}, { spec: 1, status: 'x' }, { spec: [], status: null }];
    const values = fields.flatMap((field) =>
      bodies.map((body) => readField({ ...body, apiVersion, kind }, field)),
    );
    expect(values.filter((value) => value !== undefined && typeof value !== 'string')).toEqual([]);
  }
});

describe('the part of the JSON of an object with a field', () => {
  const values = ['x', 'a"b', '\\', 'ä', '\u0007', '5', 'true', 'False', 'Pending', '0', 'default-scheduler'];
  const fields = resourceTypes.flatMap((type) => type.fields.map((field) => ({ type, field })));

  it('is in the JSON of each object whose field has the value', () => {
    for (const { type, field } of fields) {
      const { kind, group, version } = type;
      const empty = { apiVersion: group === '' ? version : `${group}/${version}`, kind };
      for (const value of [...values, 5, true, 1e21]) {
        const body = { ...empty, ...objectWith(field.split('.'), value) };
        for (const object of [empty, body]) {
          const read = readField(object, field) ?? '';
          expect(JSON.stringify(object)).toContain(writtenAs(read) ?? '');
        }
      }
    }
  });

  it('is unknown for a value that an object may have by default', () => {
    const unknown = ['', 'False', 'Active', 'false', 'Always', 'default-scheduler', 'Pending', '0', 'Opaque'];
    expect([...unknown, 'ClusterIP'].map(writtenAs)).toEqual(Array(10).fill(undefined));
    expect(writtenAs('a"b\\')).toBe('a\\"b\\\\');
  });
});

function objectWith(path: readonly string[], value: JsonValue): JsonObject {
  const [first = '', ...rest] = path;
  return { [first]: rest.length === 0 ? value : objectWith(rest, value) };
}
