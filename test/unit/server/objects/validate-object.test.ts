import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../../lib/json/index.ts';
import { objectErrors } from '../../../../lib/kubernetes/validation/index.ts';
import { refuseInvalid } from '../../../../lib/server/objects/validate-object.ts';
import {
  DEPLOYMENTS,
  fieldsOf,
  NAMESPACES,
  PODS,
  refusalFrom,
  SERVICES,
  SUBSCRIPTIONS,
} from '../fixtures.ts';

const named = { name: 'x', namespace: 'default' };
const owner = { apiVersion: 'v1', kind: 'Pod', name: 'a', uid: 'u' };
const big = 'x'.repeat(200_000);

/** The faults of an object that has only metadata. */
async function metadataErrors(type: typeof PODS, metadata: JsonObject, old?: JsonObject) {
  const errors = await objectErrors({ type, body: { metadata }, old, subresource: 'status' });
  return errors.filter(({ field }) => field.startsWith('metadata'));
}

describe('The metadata of an object', () => {
  it.each<[string, JsonObject]>([
    ['a name', named],
    ['a name with dots', { ...named, name: 'a.b-c.1' }],
    ['a generateName ending in a dash', { ...named, generateName: 'web-' }],
    ['labels', { ...named, labels: { 'example.com/a': 'B_c.1', empty: '' } }],
    ['an annotation in capitals', { ...named, annotations: { 'Example.com/A': 'anything at all\n' } }],
    ['annotations of 256 KiB', { ...named, annotations: { a: 'x'.repeat(262_143) } }],
    ['finalizers', { ...named, finalizers: ['example.com/a', 'orphan'] }],
    ['an owner', { ...named, ownerReferences: [{ ...owner, controller: true }] }],
  ])('%s is accepted', async (_what, metadata) => {
    expect(await metadataErrors(PODS, metadata)).toEqual([]);
  });

  it.each<[string, JsonObject, string, string]>([
    ['no name', { namespace: 'default' }, 'Required', 'metadata.name'],
    ['a name in capitals', { ...named, name: 'X' }, 'Invalid', 'metadata.name'],
    ['a long name', { ...named, name: 'x'.repeat(254) }, 'Invalid', 'metadata.name'],
    ['a bad generateName', { ...named, generateName: 'Ab-' }, 'Invalid', 'metadata.generateName'],
    ['a bad label key', { ...named, labels: { 'a b': '' } }, 'Invalid', 'metadata.labels'],
    ['a bad label value', { ...named, labels: { a: 'b c' } }, 'Invalid', 'metadata.labels'],
    ['a bad annotation key', { ...named, annotations: { 'a b': '' } }, 'Invalid', 'metadata.annotations'],
    [
      'too many annotations',
      { ...named, annotations: { a: big, b: big } },
      'TooLong',
      'metadata.annotations',
    ],
    ['a bad finalizer', { ...named, finalizers: ['a b/c'] }, 'Invalid', 'metadata.finalizers'],
    ['an unqualified finalizer', { ...named, finalizers: ['mine'] }, 'Invalid', 'metadata.finalizers[0]'],
    [
      'contradicting finalizers',
      { ...named, finalizers: ['orphan', 'foregroundDeletion'] },
      'Invalid',
      'metadata.finalizers',
    ],
    [
      'an owner without a uid',
      { ...named, ownerReferences: [{ ...owner, uid: '' }] },
      'Invalid',
      'metadata.ownerReferences.uid',
    ],
    [
      'an owner without a version',
      { ...named, ownerReferences: [{ ...owner, apiVersion: '' }] },
      'Invalid',
      'metadata.ownerReferences.apiVersion',
    ],
    [
      'two controllers',
      {
        ...named,
        ownerReferences: [
          { ...owner, controller: true },
          { ...owner, name: 'b', controller: true },
        ],
      },
      'Invalid',
      'metadata.ownerReferences',
    ],
  ])('%s is refused', async (_what, metadata, type, field) => {
    const errors = await metadataErrors(PODS, metadata);
    expect(errors.map((error) => ({ type: error.type, field: error.field }))).toEqual([{ type, field }]);
  });

  it('The metadata follows the name rule of its type', async () => {
    const fieldErrors = async (type: typeof PODS, name: string) =>
      (await metadataErrors(type, { ...named, name })).map(({ field }) => field);
    expect(await fieldErrors(PODS, '1.a')).toEqual([]);
    expect(await fieldErrors(NAMESPACES, '1.a')).toEqual(['metadata.name']);
    expect(await fieldErrors(SERVICES, '1a')).toEqual(['metadata.name']);
  });

  it('The metadata may have an unqualified finalizer if the type is Winnow’s own', async () => {
    expect(await metadataErrors(SUBSCRIPTIONS, { ...named, finalizers: ['mine'] })).toEqual([]);
  });

  it('The metadata gets no new finalizers while the object is being deleted', async () => {
    const terminating = { ...named, deletionTimestamp: 't' };
    const old = { metadata: { ...terminating, finalizers: ['a.io/a', 'a.io/b'] } };
    const withFinalizers = async (finalizers: string[]) =>
      new Set((await metadataErrors(PODS, { ...terminating, finalizers }, old)).map(({ type }) => type));
    expect(await withFinalizers(['a.io/b'])).toEqual(new Set());
    expect(await withFinalizers(['a.io/a', 'a.io/c'])).toEqual(new Set(['Forbidden']));
  });
});

describe('The validation of an object', () => {
  it('An object is refused with all its faults', async () => {
    const body = {
      metadata: { name: 'X', labels: { 'a b': '' } },
      spec: { selector: { matchLabels: { a: '!' } } },
    };
    const refusal = await refusalFrom(refuseInvalid({ type: DEPLOYMENTS, body }));
    expect(refusal.code).toBe(422);
    expect(fieldsOf(refusal)).toEqual(
      expect.arrayContaining([
        ...['metadata.name', 'metadata.namespace', 'metadata.labels', 'spec.selector.matchLabels'],
      ]),
    );
  });

  it.each<[string, typeof PODS, JsonObject]>([
    ['a LabelSelector', DEPLOYMENTS, { matchExpressions: [{ key: 'a', operator: 'Near', values: [] }] }],
    ['a map', SERVICES, { 'a b': 'c' }],
  ])('with a malformed %s in its spec is refused', async (_what, type, selector) => {
    const refusal = await refusalFrom(refuseInvalid({ type, body: { metadata: named, spec: { selector } } }));
    expect(refusal.code).toBe(422);
    expect(fieldsOf(refusal)).toContainEqual(expect.stringMatching(/^spec\.selector/));
  });
});
