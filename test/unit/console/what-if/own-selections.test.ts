import { describe, expect, it } from '@jest/globals';
import {
  isOther,
  type KubeObject,
  maySelect,
  ownSelection,
} from '../../../../console/what-if/own-selections.ts';

function object(spec: Record<string, unknown>): KubeObject {
  const metadata = { name: 'web', namespace: 'shop', uid: 'u', resourceVersion: '1', creationTimestamp: '' };
  return { apiVersion: 'v1', kind: 'Any', metadata, spec };
}

const textOf = (kind: string, spec: Record<string, unknown>) => ownSelection(kind, object(spec))?.selector;

describe('What an object selects', () => {
  it.each([
    ['services', { selector: { app: 'web', tier: 'x' } }, 'app=web,tier=x'],
    ['services', { selector: {} }, undefined],
    ['services', {}, undefined],
    ['services', { type: 'ExternalName', selector: { app: 'web' } }, undefined],
    ['deployments.apps', { selector: { matchLabels: { app: 'web' } } }, 'app=web'],
    [
      'deployments.apps',
      { selector: { matchExpressions: [{ key: 'tier', operator: 'In', values: ['b', 'a'] }] } },
      'tier in (a,b)',
    ],
    ['poddisruptionbudgets.policy', { selector: {} }, ''],
    ['poddisruptionbudgets.policy', {}, undefined],
    ['networkpolicies.networking.k8s.io', {}, ''],
    ['networkpolicies.networking.k8s.io', { podSelector: { matchLabels: { app: 'web' } } }, 'app=web'],
    ['configmaps', {}, undefined],
  ])('%s with %j', (kind, spec, selector) => {
    expect(textOf(kind, spec)).toBe(selector);
  });

  it('A Subscription selects objects of its resource, with its conditions on fields', () => {
    const spec = {
      resource: { group: 'fleet.example', resource: 'devices' },
      labelSelector: 'site=north',
      fieldSelector: 'spec.state=active',
    };
    expect(ownSelection('subscriptions.winnow.dev', object(spec))).toEqual({
      path: 'spec.labelSelector',
      target: 'devices.fleet.example',
      namespace: 'shop',
      selector: 'site=north',
      fields: 'spec.state=active',
    });
    expect(ownSelection('tallies.winnow.dev', object({ ...spec, namespaces: 'All' }))?.namespace).toBe('');
    expect(ownSelection('tallies.winnow.dev', object({ ...spec, namespaceSelector: {} }))).toBeUndefined();
  });

  it('A selector that cannot be read throws, so that the server says what is wrong', () => {
    expect(() => textOf('subscriptions.winnow.dev', { resource: {}, labelSelector: 'a in (' })).toThrow(
      'unable to parse requirement',
    );
  });

  it('Selections of the same objects are not another one, in any order of their labels', () => {
    const one = ownSelection('services', object({ selector: { app: 'web', tier: 'x' } }));
    const same = ownSelection('services', object({ selector: { tier: 'x', app: 'web' } }));
    const other = ownSelection('services', object({ selector: { app: 'web' } }));
    expect([isOther(one, same), isOther(one, other), isOther(one, undefined)]).toEqual([false, true, true]);
  });
});

it('Only objects that can have a selector are asked what they select', () => {
  const may = (group: string, plural: string, spec = {}) =>
    maySelect({ id: group === '' ? plural : `${plural}.${group}`, group }, object(spec));
  expect([may('', 'services'), may('winnow.dev', 'tallies')]).toEqual([true, true]);
  const ofRollout = [{ selector: 'canary' }, { on: { ring: 'early' } }, { on: 'ring=early' }];
  expect(ofRollout.map((spec) => may('fleet.example', 'rollouts', spec))).toEqual([true, true, true]);
  expect(may('fleet.example', 'devices', { model: 'c2', place: 'roof' })).toBe(false);
  expect([may('', 'configmaps'), may('', 'pods'), may('rbac.authorization.k8s.io', 'roles')]).toEqual([
    false,
    false,
    false,
  ]);
  expect(may('', 'pods', { nodeSelector: { disk: 'ssd' } })).toBe(true);
});
