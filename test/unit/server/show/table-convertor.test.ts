import { describe, expect, it } from '@jest/globals';
import { tableLayout } from '../../../../lib/kubernetes/columns/index.ts';
import { findResourceType, resourceTypes } from '../../../../lib/kubernetes/resource-types/index.ts';
import {
  toPartialObjectMetadata,
  toPartialObjectMetadataList,
} from '../../../../lib/server/show/partial-object-metadata.ts';
import { parseIncludeObject, toObjectTable, toTable } from '../../../../lib/server/show/table-convertor.ts';

const now = Date.parse('2030-01-01T00:10:00Z');
const metadata = {
  name: 'a',
  namespace: 'x',
  resourceVersion: '7',
  creationTimestamp: '2030-01-01T00:00:00Z',
};
const configMap = { kind: 'ConfigMap', apiVersion: 'v1', metadata, data: { k: 'v' } };
const [type] = resourceTypes.filter(({ kind }) => kind === 'ConfigMap');
if (type === undefined) throw new Error('there is no ConfigMap');
const options = { layout: tableLayout(type), now };

describe('toTable', () => {
  it('The Table has one row for each object, and the metadata of the list', () => {
    const list = { resourceVersion: '9', continue: 'token', remainingItemCount: 4 };
    const table = toTable([configMap, configMap], { ...options, metadata: list });
    const row = {
      cells: ['a', 1, '10m'],
      object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata },
    };
    expect(table).toMatchObject({
      kind: 'Table',
      apiVersion: 'meta.k8s.io/v1',
      metadata: list,
      rows: [row, row],
    });
  });

  it('The Table describes its columns, the name first', () => {
    const { columnDefinitions } = toTable([], options);
    expect(columnDefinitions).toEqual([
      expect.objectContaining({ name: 'Name', type: 'string', format: 'name', priority: 0 }),
      expect.objectContaining({ name: 'Data', type: 'string', format: '', priority: 0 }),
      expect.objectContaining({ name: 'Age', type: 'string', priority: 0 }),
    ]);
  });

  it('The Table omits the column definitions on request', () => {
    expect(toTable([configMap], { ...options, headers: false }).columnDefinitions).toEqual([]);
  });

  it('The Table includes the requested part of each object', () => {
    const rows = (includeObject: 'None' | 'Metadata' | 'Object') =>
      toTable([configMap], { ...options, includeObject }).rows;
    expect(rows('None')).toEqual([{ cells: ['a', 1, '10m'], object: null }]);
    expect(rows('Metadata')).toMatchObject([{ object: { kind: 'PartialObjectMetadata' } }]);
    expect(rows('Object')).toMatchObject([{ object: configMap }]);
  });
});

it('The Table of one object has the resourceVersion of the object', () => {
  expect(toObjectTable(configMap, options)).toMatchObject({
    metadata: { resourceVersion: '7' },
    rows: [{ cells: ['a', 1, '10m'] }],
  });
});

it('parseIncludeObject knows three values and refuses the rest', () => {
  expect([null, '', 'None', 'Metadata', 'Object'].map(parseIncludeObject)).toEqual([
    'Metadata',
    'Metadata',
    'None',
    'Metadata',
    'Object',
  ]);
  expect(() => parseIncludeObject('All')).toThrow(
    expect.objectContaining({ code: 400, reason: 'BadRequest' }),
  );
});

describe('The partial metadata of an object', () => {
  it('The partial metadata is only the metadata', () => {
    const partial = { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata };
    expect(toPartialObjectMetadata(configMap)).toEqual(partial);
    expect(toPartialObjectMetadataList([configMap], { resourceVersion: '9' })).toEqual({
      kind: 'PartialObjectMetadataList',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { resourceVersion: '9' },
      items: [partial],
    });
  });
});

it('findResourceType finds a type by group, version and plural', () => {
  expect(findResourceType('', 'v1', 'configmaps')).toBe(type);
  expect(findResourceType('', 'v1', 'configmap')).toBeUndefined();
  expect(findResourceType('apps', 'v1', 'configmaps')).toBeUndefined();
  expect(findResourceType('', 'v1', 'constructor')).toBeUndefined();
});
