import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../../lib/json/index.ts';
import { readField, resourceTypes } from '../../../../lib/kubernetes/resource-types/index.ts';

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
