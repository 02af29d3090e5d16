import { describe, expect, it } from '@jest/globals';
import { withDeclared } from '../../../lib/coordination/known-resources.ts';
import { targetResources } from '../../../lib/kubernetes/resource-types/index.ts';
import type { DeclaredCollection } from '../../../lib/store/index.ts';

const WIDGET: DeclaredCollection = {
  collection: 'example.com/widgets',
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  namespaced: true,
  fields: ['spec.size'],
  time: 0,
};
const PLANET: DeclaredCollection = {
  ...WIDGET,
  collection: 'example.com/planets',
  kind: 'Planet',
  namespaced: false,
};
const KNOWN = {
  resources: targetResources,
  collections: ['core/pods', 'core/nodes'] as const,
  namespacedCollections: ['core/pods'] as const,
};
const { resources, collections, namespacedCollections } = withDeclared(KNOWN, [WIDGET, PLANET]);

describe('The declared resource types', () => {
  it('Declared types are known beside built-in types', () => {
    expect(collections).toEqual(['core/pods', 'core/nodes', WIDGET.collection, PLANET.collection]);
    expect(namespacedCollections).toEqual(['core/pods', WIDGET.collection]);
  });

  it('Declared types are found by the name in a Subscription, and by their collection', () => {
    expect(resources.find('', 'pods')?.kind).toBe('Pod');
    expect(resources.find('example.com', 'planets')?.kind).toBe('Planet');
    expect(resources.find('example.com', 'moons')).toBeUndefined();
    expect(resources.of('core/pods')?.kind).toBe('Pod');
    expect(resources.of(PLANET.collection)?.kind).toBe('Planet');
    expect(resources.of('example.com/moons')).toBeUndefined();
    expect(resources.of(WIDGET.collection)?.fields).toEqual([
      ...['metadata.name', 'metadata.namespace', 'spec.size'],
    ]);
  });

  it('Declared types are found by owner references of any version', () => {
    expect(resources.ofKind('v1', 'Pod')?.kind).toBe('Pod');
    expect(resources.ofKind('example.com/v1', 'Planet')?.kind).toBe('Planet');
    expect(resources.ofKind('example.com/v2beta1', 'Widget')?.kind).toBe('Widget');
    expect(resources.ofKind('example.com/v1', 'Moon')).toBeUndefined();
    expect(resources.ofKind('example.org/v1', 'Widget')).toBeUndefined();
    expect(resources.ofKind('v1', 'Widget')).toBeUndefined();
  });
});
