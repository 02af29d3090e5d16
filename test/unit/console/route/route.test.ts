import { describe, expect, it } from '@jest/globals';
import {
  EXPLORE,
  openText,
  parseOpen,
  parseRoute,
  type Route,
  routeUrl,
} from '../../../../console/route/route.ts';

const read = (url: string) => {
  const { pathname, search } = new URL(url, 'http://localhost');
  return parseRoute(pathname, search);
};

describe('A route', () => {
  it('A link reproduces every part of the view', () => {
    const route: Route = {
      view: 'explore',
      kind: 'deployments.apps',
      namespace: 'shop',
      selector: 'tier in (a,b),x!=y&z',
      fields: 'metadata.name=a',
      mode: 'pivot',
      pivot: ['tier', 'env'],
      keys: ['app.kubernetes.io/name'],
      columns: ['tier'],
      sort: '-Age',
      open: 'pods:shop/web-1',
      tab: 'history',
      at: '10m',
      as: 'jane',
      groups: ['dev', 'ops, eu'],
    };
    expect(read(routeUrl(route))).toEqual(route);
  });

  it('A short link has only the parts that are not the default', () => {
    expect(routeUrl({ ...EXPLORE, kind: 'pods' })).toBe('/pods?ns=*');
    expect(routeUrl({ ...EXPLORE, view: 'tallies' })).toBe('/tallies');
    expect(routeUrl(EXPLORE)).toBe('/');
  });

  it('Unknown parts of an address count as absent', () => {
    expect(read('/pods?mode=cube&pivot=a,b,c&ns=*&%E0%A4%A=1')).toMatchObject({
      kind: 'pods',
      mode: 'table',
      pivot: ['a', 'b'],
      namespace: '',
    });
    expect(parseRoute('/%E0%A4%A', '')).toMatchObject({ view: 'explore', kind: '' });
  });
});

it.each([
  ['pods:shop/web-1', { kind: 'pods', namespace: 'shop', name: 'web-1' }],
  ['nodes:n1', { kind: 'nodes', namespace: '', name: 'n1' }],
])('The text %s names an object', (text, object) => {
  expect(parseOpen(text)).toEqual(object);
  expect(openText(object)).toBe(text);
});

it.each(['', 'pods', 'pods:', 'a/b:c', 'pods:a/b/c'])('The text "%s" names no object', (text) => {
  expect(parseOpen(text)).toBeUndefined();
});
