import { describe, expect, it } from '@jest/globals';
import type { JsonValue } from '../../../../lib/json/index.ts';
import { decodeObject } from '../../../../lib/server/objects/decode-object.ts';
import { DEPLOYMENTS, NAMESPACES, PODS, refusalOf, SUBSCRIPTIONS } from '../fixtures.ts';

describe('A decoded object', () => {
  it('The object has apiVersion, kind and namespace of the URL', () => {
    expect(decodeObject({ metadata: { name: 'x' } }, DEPLOYMENTS, 'default')).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'x', namespace: 'default' },
    });
  });

  it('The object has no nulls in maps, and keeps nulls in lists', () => {
    const sent = {
      metadata: { name: 'x', creationTimestamp: null, labels: null },
      spec: { gone: null, kept: { gone: null }, list: [null, { gone: null }] },
    };
    expect(decodeObject(sent, PODS, 'default')).toEqual({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'x', namespace: 'default' },
      spec: { kept: {}, list: [null, {}] },
    });
  });

  it('The object has an empty string for a null label, annotation or matchLabels value', () => {
    const sent = {
      metadata: { name: 'x', labels: { a: null, b: '1' }, annotations: { c: null } },
      spec: { selector: { matchLabels: { a: null }, matchExpressions: null } },
    };
    expect(decodeObject(sent, DEPLOYMENTS, 'default')).toMatchObject({
      metadata: { labels: { a: '', b: '1' }, annotations: { c: '' } },
      spec: { selector: { matchLabels: { a: '' } } },
    });
  });

  it('The object has no namespace if it is cluster-scoped', () => {
    const decoded = decodeObject({ metadata: { name: 'x', namespace: 'a' } }, NAMESPACES, '');
    expect(decoded.metadata).toEqual({ name: 'x' });
  });

  it('The object keeps keys that are special in JavaScript', () => {
    const sent = JSON.parse('{"metadata":{"name":"x","labels":{"constructor":"a","__proto__":"b"}}}');
    const decoded = decodeObject(sent, PODS, 'default');
    expect(JSON.stringify(decoded.metadata)).toBe(
      '{"name":"x","labels":{"constructor":"a","__proto__":"b"},"namespace":"default"}',
    );
  });
});

describe('A body that is answered with 400', () => {
  const deep = JSON.parse(`{"spec":${'['.repeat(2_000)}${']'.repeat(2_000)}}`);

  it.each<[string, JsonValue, string]>([
    ['no object', [], 'cannot unmarshal array'],
    ['null', null, 'cannot unmarshal null'],
    ['another kind', { kind: 'Service' }, 'does not match the expected kind (Pod)'],
    ['another version', { apiVersion: 'v2' }, 'the API version in the data (v2)'],
    ['metadata of the wrong type', { metadata: 'x' }, 'cannot unmarshal string into Pod.metadata'],
    ['a number as a label', { metadata: { labels: { a: 1 } } }, 'cannot unmarshal number'],
    ['an object as a name', { metadata: { name: {} } }, 'ObjectMeta.metadata.name'],
    ['finalizers that are no list', { metadata: { finalizers: 'x' } }, 'ObjectMeta.metadata.finalizers'],
    ['another namespace', { metadata: { namespace: 'other' } }, 'does not match the namespace'],
    ['too deep a nesting', deep, 'exceeded max depth'],
  ])('%s', (_what, body, message) => {
    const refusal = refusalOf(() => decodeObject(body, PODS, 'default'));
    expect(refusal.code).toBe(400);
    expect(refusal.message).toContain(message);
  });

  it('a spec of a Subscription that is no object', () => {
    const refusal = refusalOf(() => decodeObject({ spec: 5 }, SUBSCRIPTIONS, 'default'));
    expect(refusal.message).toContain('cannot unmarshal number into Subscription.spec');
  });
});
