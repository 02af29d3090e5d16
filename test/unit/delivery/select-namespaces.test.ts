import { describe, expect, it } from '@jest/globals';
import { namespacesOf, selectNamespaces } from '../../../lib/delivery/subscription/index.ts';
import { parseSelector } from '../../../lib/selectors/index.ts';
import { stateOf } from '../../../lib/store/index.ts';

const named = (name: string, labels: Readonly<Record<string, string>> = {}) =>
  stateOf({ namespace: '', name }, 2, { kind: 'Namespace', metadata: { name, labels: { ...labels } } });
const many = (count: number) => Array.from({ length: count }, (_, index) => named(`n${index}`));
const ANY = parseSelector('');

describe('The namespaces that a namespaceSelector selects', () => {
  it('The namespaces have the order of their objects', () => {
    const all = [
      named('a'),
      named('b', { team: 'x' }),
      named('a-b', { team: 'x' }),
      named('a.b', { team: 'x' }),
    ];
    expect(selectNamespaces(ANY, all)).toEqual({ namespaces: ['a-b', 'a.b', 'a', 'b'], failure: '' });
    expect(selectNamespaces(parseSelector('team=x'), all).namespaces).toEqual(['a-b', 'a.b', 'b']);
  });

  it('Up to 500 namespaces are followed, and more are an error with a message', () => {
    expect(selectNamespaces(ANY, many(500)).namespaces).toHaveLength(500);
    expect(selectNamespaces(ANY, many(501))).toEqual({
      namespaces: [],
      failure: 'spec.namespaceSelector selects 501 namespaces; 500 are followed at most',
    });
  });
});

describe('The namespaces of a selection', () => {
  it('The namespaces are those of its selector, all, or its own', () => {
    const own = { allNamespaces: false, namespace: 'default', namespaces: '' };
    expect(namespacesOf(own)).toEqual(['default']);
    expect(namespacesOf({ ...own, allNamespaces: true })).toBeUndefined();
    expect(namespacesOf({ ...own, namespaces: '["a","b"]' })).toEqual(['a', 'b']);
    expect(namespacesOf({ ...own, namespaces: '[]' })).toEqual([]);
  });
});
