import { describe, expect, it } from '@jest/globals';
import { routeUrl } from '../../../../console/route/index.ts';
import {
  exploreRoute,
  namespacesText,
  resourceId,
  selectorText,
  setSentence,
} from '../../../../console/sets/set-object.ts';

const pods = { resource: { resource: 'pods' } };

describe('What a spec says about its set', () => {
  it('A resource has the id of its kind, with its group', () => {
    expect(resourceId(pods)).toBe('pods');
    expect(resourceId({ resource: { group: 'fleet.example', resource: 'devices' } })).toBe(
      'devices.fleet.example',
    );
  });

  it('A selector as an object becomes the text of the same selector', () => {
    const selector = {
      matchLabels: { app: 'web' },
      matchExpressions: [{ key: 'tier', operator: 'In', values: ['a', 'b'] }],
    };
    expect(selectorText({ ...pods, selector })).toBe('app=web,tier in (a,b)');
    expect(selectorText({ ...pods, labelSelector: 'app=web' })).toBe('app=web');
    expect(selectorText(pods)).toBe('');
  });

  it('The namespaces of a set are its own, all, or those that a selector matches', () => {
    expect(namespacesText(pods, 'shop')).toBe('in shop');
    expect(namespacesText({ ...pods, namespaces: 'All' }, 'shop')).toBe('in all namespaces');
    expect(namespacesText({ ...pods, namespaceSelector: {} }, 'shop')).toBe('in all namespaces');
    const namespaceSelector = { matchLabels: { team: 'shop' } };
    expect(namespacesText({ ...pods, namespaceSelector }, 'shop')).toBe('in namespaces with team=shop');
  });

  it('A sentence names the kind, the namespaces and both selectors', () => {
    const spec = { ...pods, labelSelector: 'app=web', fieldSelector: 'Ready=True' };
    expect(setSentence(spec, 'shop')).toBe('pods in shop with app=web and Ready=True');
    expect(setSentence(pods, 'shop')).toBe('pods in shop');
  });

  it('The link to a set has its namespace, its selector and what narrows it', () => {
    const spec = { ...pods, labelSelector: 'app=web', fieldSelector: 'Ready=True' };
    expect(routeUrl(exploreRoute(spec, 'shop', 'tier=a'))).toBe(
      '/pods?ns=shop&q=app%3Dweb%2Ctier%3Da&fields=Ready%3DTrue',
    );
    expect(exploreRoute({ ...spec, namespaces: 'All' }, 'shop').namespace).toBe('');
    expect(exploreRoute({ ...spec, namespaceSelector: { matchLabels: {} } }, 'shop').namespace).toBe('');
  });
});
