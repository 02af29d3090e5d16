import { beforeAll, describe, expect, it } from '@jest/globals';
import { type FieldTable, loadFields } from '../../../../lib/kubernetes/fields/index.ts';
import { resourceTypes } from '../../../../lib/kubernetes/resource-types/index.ts';
import { VERSION } from '../../../../lib/server/documents/version.ts';

describe('the table of field facts', () => {
  let table: FieldTable;
  beforeAll(async () => {
    table = await loadFields();
  });

  it('The table is of the supported version of Kubernetes', () => {
    expect(`v${table.version}+winnow`).toBe(VERSION.gitVersion);
  });

  it.each(resourceTypes.filter((type) => type.builtin))('The table has $group/$version $kind', (type) => {
    const apiVersion = type.group === '' ? type.version : `${type.group}/${type.version}`;
    expect(table.kind(apiVersion, type.kind)?.fields.has('metadata')).toBe(true);
  });

  it('The table has no kind that is a built-in property of objects', () => {
    expect(table.kind('v1', 'toString')).toBeUndefined();
  });

  it('The table has the facts of a field for strategic merge, apply and protobuf', () => {
    const ports = table.message('core.v1.Container').fields.get('ports');
    expect(ports).toMatchObject({
      type: 'message',
      container: 'l',
      number: 6,
      pointer: false,
      omitEmpty: true,
      within: [],
      merge: { key: 'containerPort', retainKeys: false },
      relation: 'map',
      keys: ['containerPort', 'protocol'],
    });
    expect(ports?.message?.name).toBe('core.v1.ContainerPort');
  });

  it('The table has the fields that JSON inlines, with their position on the wire', () => {
    const { fields } = table.message('core.v1.Volume');
    expect(fields.get('name')?.within).toEqual([]);
    expect(fields.get('configMap')).toMatchObject({ within: [2], pointer: true });
  });

  it('The table has the ownership rules of inlined fields, references and fields with a rule of their own', () => {
    const fieldOf = (message: string, name: string) => table.message(message).fields.get(name);
    expect(fieldOf('core.v1.EphemeralContainer', 'env')).toMatchObject({ relation: 'map', keys: ['name'] });
    expect(fieldOf('meta.v1.ObjectMeta', 'ownerReferences')).toMatchObject({ wholeElements: true });
    expect(fieldOf('core.v1.PersistentVolumeSpec', 'claimRef')?.relation).toBeUndefined();
    expect(fieldOf('core.v1.ResourceQuotaSpec', 'scopeSelector')?.relation).toBe('atomic');
  });

  it('The table follows types that contain themselves', () => {
    const schema = table.message('apiextensions.v1.JSONSchemaProps');
    expect(schema.fields.get('properties')?.message).toBe(schema);
  });
});
