import { describe, expect, it } from '@jest/globals';
import { isJsonObject, type JsonObject, type JsonValue, objectAt } from '../../../../lib/json/index.ts';
import { type TableLayout, tableLayout } from '../../../../lib/kubernetes/columns/index.ts';
import type { ResourceType } from '../../../../lib/kubernetes/resource-types/index.ts';
import { parseJsonPath } from '../../../../lib/kubernetes/schemas/definitions/json-path.ts';
import { compareVersions } from '../../../../lib/kubernetes/schemas/definitions/version-order.ts';
import { resourceTypesOf } from '../../../../lib/kubernetes/schemas/index.ts';
import { answerOf, RECORDED } from './recorded.ts';

function answered(n: number): JsonObject {
  const found = RECORDED.find((each) => each.n === n);
  return found === undefined ? {} : answerOf(found);
}

function objectsIn(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

describe('the resource types of a CustomResourceDefinition', () => {
  it('discovery lists the types of a definition as a kube-apiserver does', () => {
    const [told] = objectsIn(answered(363).resources);
    const [type, ...more] = resourceTypesOf(answered(358));
    expect(more).toEqual([]);
    expect(told).toMatchObject({
      name: type?.resource,
      singularName: type?.singular,
      kind: type?.kind,
      namespaced: type?.scope === 'Namespaced',
      verbs: type?.verbs,
      shortNames: type?.shortNames,
      categories: type?.categories,
    });
    expect(type).toMatchObject({ status: true, fields: ['spec.color', 'spec.size'], builtin: false });
    expect(Object.keys(type?.properties ?? {})).toEqual(['spec', 'status']);
  });

  it('Tables of a defined type equal those of a kube-apiserver', () => {
    const table = answered(394);
    const columns = columnsOf(resourceTypesOf(answered(358)));
    const shown = columns.map(({ name, type: of, priority }) => ({ name, type: of, priority }));
    expect(objectsIn(table.columnDefinitions)).toMatchObject(shown);
    const created = RECORDED.filter(({ method, status }) => method === 'POST' && status === 201).map(
      answerOf,
    );
    for (const row of objectsIn(table.rows)) {
      const uid = objectAt(objectAt(row.object).metadata).uid;
      const object = created.find(({ metadata }) => objectAt(metadata).uid === uid) ?? {};
      const now = Date.parse(String(objectAt(object.metadata).creationTimestamp));
      expect(columns.map((column) => column.cell(object, now))).toEqual(row.cells);
    }
    expect(objectsIn(table.rows).length).toBeGreaterThan(5);
  });

  it('resourceTypesOf returns the served versions, the most stable first', () => {
    const versions = resourceTypesOf(answered(434)).map(({ version }) => version);
    expect(versions).toEqual(objectsIn(answered(436).versions).map(({ version }) => version));
    expect(resourceTypesOf(answered(448)).map(({ version }) => version)).toEqual(['v2']);
  });

  it('a definition has no types before it is established', () => {
    expect(resourceTypesOf(answered(355))).toEqual([]);
    expect(resourceTypesOf(answered(428))).toEqual([]);
  });

  it('a type without columns shows its age', () => {
    const [type] = resourceTypesOf({
      ...answered(455),
      status: { ...objectAt(answered(358).status), acceptedNames: objectAt(answered(455).spec).names ?? {} },
    });
    const told = objectsIn(answered(469).columnDefinitions).map(({ name, type: of }) => [name, of]);
    expect(columnsOf(type === undefined ? [] : [type]).map(({ name, type: of }) => [name, of])).toEqual(told);
    expect(type?.scope).toBe('Cluster');
  });
});

describe('the order of API versions', () => {
  it('API versions are ordered by stability', () => {
    const ordered = [
      'v10',
      'v2',
      'v1',
      'v11beta2',
      'v10beta3',
      'v3beta1',
      'v12alpha1',
      'v11alpha2',
      'foo1',
      'foo10',
    ];
    expect([...ordered].reverse().toSorted(compareVersions)).toEqual(ordered);
  });
});

describe('the JSON path of a column', () => {
  const value: JsonValue = {
    spec: {
      'a.b': 1,
      list: [
        { n: 'x', v: 1 },
        { n: 'y', v: 2 },
      ],
      color: 'red',
    },
    status: {
      conditions: [
        { type: 'Ready', status: 'True' },
        { type: 'Synced', status: 'False' },
      ],
    },
  };

  it.each<[string, JsonValue[]]>([
    ['.spec.color', ['red']],
    ['.spec.none.more', []],
    [".spec['a.b']", [1]],
    ['.spec.a\\.b', [1]],
    ['.spec.list[0].n', ['x']],
    ['.spec.list[-1].n', ['y']],
    ['.spec.list[0:1].n', ['x']],
    ['.spec.list[*].v', [1, 2]],
    ['.spec.list[?(@.v>1)].n', ['y']],
    ['.status.conditions[?(@.type=="Ready")].status', ['True']],
    [".status.conditions[?(@.type=='Synced')].status", ['False']],
    ['.status.conditions[?(@.reason)].status', []],
    ['..status', ['True', 'False']],
  ])('the JSON path %s finds %j', (path, found) => {
    const values = parseJsonPath(path)?.(value);
    expect(path === '..status' ? values?.slice(1) : values).toEqual(found);
  });

  it.each(['spec', '.spec[', '.spec[?(@.a=b=c', '.a b'])('%p is not a JSON path', (path) => {
    expect(parseJsonPath(path)).toBeUndefined();
  });
});

function columnsOf([type]: readonly ResourceType[]): TableLayout['columns'] {
  return type === undefined ? [] : tableLayout(type).columns;
}
