import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../../lib/json/index.ts';
import type { ResourceType } from '../../../../lib/kubernetes/resource-types/index.ts';
import { decodeSent } from '../../../../lib/server/objects/decode-sent.ts';
import { typedState } from '../../../../lib/server/objects/typed-object.ts';
import { stateOf } from '../../../../lib/store/index.ts';
import { CONFIG_MAPS, DEPLOYMENTS, PODS, refusalFrom, SUBSCRIPTIONS } from '../fixtures.ts';

function decoded(type: ResourceType, text: string | JsonObject) {
  const sent = typeof text === 'string' ? text : JSON.stringify(text);
  return decodeSent({ type, namespace: 'default', value: JSON.parse(sent), text: sent });
}

describe('An object of a known kind', () => {
  it('The object has only known fields, and the defaults of its kind', async () => {
    const { body, faults } = await decoded(DEPLOYMENTS, {
      metadata: { name: 'x', labelz: {} },
      spec: { foo: 1, selector: null, template: { spec: { containers: [{ name: 'c', bar: { x: 1 } }] } } },
    });
    expect(body.spec).toMatchObject({
      replicas: 1,
      selector: null,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
      template: { spec: { containers: [{ name: 'c', resources: {} }], restartPolicy: 'Always' } },
    });
    expect(JSON.stringify(body)).not.toMatch(/foo|bar|labelz/);
    expect(faults).toEqual([
      'unknown field "metadata.labelz"',
      'unknown field "spec.foo"',
      'unknown field "spec.template.spec.containers[0].bar"',
    ]);
  });

  it('Duplicate fields are reported at their paths, and an unknown field once', async () => {
    const text = '{"metadata":{"name":"a","name":"b","foo":1,"foo":{}},"bar":1,"data":{"k":"1","k":"2"}}';
    const { body, faults } = await decoded(CONFIG_MAPS, text);
    expect(faults).toEqual([
      'duplicate field "metadata.name"',
      'unknown field "metadata.foo"',
      'unknown field "bar"',
      'duplicate field "data.k"',
    ]);
    expect(body).toMatchObject({ metadata: { name: 'b' }, data: { k: '2' } });
  });

  it.each([
    [
      '{"spec":{"replicas":2.0}}',
      'number 2.0 into Go struct field DeploymentSpec.spec.replicas of type int32',
    ],
    [
      '{"spec":{"replicas":1e3}}',
      'number 1e3 into Go struct field DeploymentSpec.spec.replicas of type int32',
    ],
    ['{"spec":{"replicas":"3"}}', 'string into Go struct field DeploymentSpec.spec.replicas of type int32'],
    ['{"spec":{"paused":1}}', 'number into Go struct field DeploymentSpec.spec.paused of type bool'],
    ['{"spec":[]}', 'array into Go struct field Deployment.spec of type v1.DeploymentSpec'],
  ])('The object is refused with the message of Kubernetes: %s', async (text, says) => {
    const refusal = await refusalFrom(decoded(DEPLOYMENTS, text));
    expect(refusal.code).toBe(400);
    expect(refusal.message).toBe(
      `Deployment in version "v1" cannot be handled as a Deployment: json: cannot unmarshal ${says}`,
    );
  });

  it.each([
    [
      'apps/v1',
      'Pod',
      'no kind "Pod" is registered for version "apps/v1" in scheme "pkg/runtime/scheme.go:110"',
    ],
    ['v1', 'Service', 'converting (v1.Service) to (core.Pod): unknown conversion'],
  ])('The object is refused as %s %s at the path of pods', async (apiVersion, kind, says) => {
    const { message } = await refusalFrom(decoded(PODS, { apiVersion, kind }));
    expect(message).toBe(`${kind} in version "v1" cannot be handled as a Pod: ${says}`);
  });

  it('The object keeps names that are special in JavaScript', async () => {
    const { body } = await decoded(CONFIG_MAPS, '{"data":{"constructor":"a","__proto__":"b"}}');
    expect(JSON.stringify(body.data)).toBe('{"constructor":"a","__proto__":"b"}');
  });

  it('The object may not be nested deeper than recursive code can handle', async () => {
    const text = `{"data":${'['.repeat(2_000)}${']'.repeat(2_000)}}`;
    expect((await refusalFrom(decoded(CONFIG_MAPS, text))).message).toContain('exceeded max depth');
  });
});

describe('An object of a kind that Kubernetes does not know', () => {
  it('The object keeps all its fields', async () => {
    const { body, faults } = await decoded(SUBSCRIPTIONS, { spec: { anything: 2.5 } });
    expect(body.spec).toEqual({ anything: 2.5 });
    expect(faults).toEqual([]);
  });
});

describe('An object that was stored before fields were known', () => {
  const state = (spec: JsonObject) =>
    stateOf({ namespace: 'default', name: 'x' }, 7, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'x', uid: 'u', generation: 1 },
      spec,
    });

  it('The object is read as it would be stored today', async () => {
    const { body, rv, uid } = await typedState(DEPLOYMENTS, state({ template: {}, foo: 1 }));
    expect({ rv, uid }).toEqual({ rv: 7, uid: 'u' });
    expect(body.metadata).toEqual({ name: 'x', uid: 'u', generation: 1 });
    expect(body.spec).toMatchObject({ replicas: 1, revisionHistoryLimit: 10 });
    expect(body.spec).not.toHaveProperty('foo');
  });

  it('The object stays unchanged if it cannot be read as its kind', async () => {
    const broken = state({ replicas: 'three' });
    expect(await typedState(DEPLOYMENTS, broken)).toEqual(broken);
  });
});
