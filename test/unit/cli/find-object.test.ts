import { describe, expect, it } from '@jest/globals';
import { notFound } from '../../../cli/finding/find-object.ts';

const object = { path: '', type: 'sensor', name: 'nope' };

describe('the error for an object that does not exist', () => {
  it('names the type as the user typed it, the object and its namespace', () => {
    const { message, help } = notFound({ ...object, namespace: 'fleet' });
    expect(message).toBe('sensor "nope" not found in namespace fleet');
    expect(help).toEqual(['List those that exist: kubectl get sensor --namespace fleet.']);
  });

  it('names no namespace for a type without namespaces', () => {
    expect(notFound({ ...object, namespace: undefined }).message).toBe('sensor "nope" not found');
  });
});
