import { describe, expect, it } from '@jest/globals';
import { namespacesOf, selectNamespaces } from '../../../lib/delivery/subscription/index.ts';
import { parseSelector } from '../../../lib/selectors/index.ts';
import { stateOf } from '../../../lib/store/index.ts';

const named = (name: string, labels: Readonly<Record<string, string>> = {}) =>
  stateOf({ namespace: '', name }, 2, { kind: 'Namespace', metadata: { name, labels: { ...labels } } });
const many = (count: number) => Array.from({ length: count }, (_, index) => named(`n${index}`));
const ANY = parseSelector('');

describe('selectNamespaces', () => {
  it('selectNamespaces returns namespaces in the order of their objects', () => {
    const all = [
      named('a'),
      named('b', { team: 'x' }),
      named('a-b', { team: 'x' }),
      named('a.b', { team: 'x' }),
    ];
    expect(selectNamespaces(ANY, all)).toEqual({ namespaces: ['a-b', 'a.b', 'a', 'b'], failure: '' });
    expect(selectNamespaces(parseSelector('team=x'), all).namespaces).toEqual(['a-b', 'a.b', 'b']);
  });

  it('selectNamespaces returns up to 500 namespaces, and a failure for more', () => {
    expect(selectNamespaces(ANY, many(500)).namespaces).toHaveLength(500);
    expect(selectNamespaces(ANY, many(501))).toEqual({
      namespaces: [],
      failure: 'spec.namespaceSelector selects 501 namespaces; the limit is 500',
    });
  });
});

describe('the namespaces of a selection', () => {
  it('the namespaces of a selection are the selected ones, all, or its own', () => {
    const own = { allNamespaces: false, namespace: 'default', namespaces: '' };
    expect(namespacesOf(own)).toEqual(['default']);
    expect(namespacesOf({ ...own, allNamespaces: true })).toBeUndefined();
    expect(namespacesOf({ ...own, namespaces: '["a","b"]' })).toEqual(['a', 'b']);
    expect(namespacesOf({ ...own, namespaces: '[]' })).toEqual([]);
  });
});
