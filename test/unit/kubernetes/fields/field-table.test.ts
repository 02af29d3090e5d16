import { beforeAll, describe, expect, it } from '@jest/globals';
import { type FieldTable, loadFields } from '../../../../lib/kubernetes/fields/index.ts';
import { resourceTypes } from '../../../../lib/kubernetes/resource-types/index.ts';
import { VERSION } from '../../../../lib/server/documents/version.ts';

describe('the table of field facts', () => {
  let table: FieldTable;
  beforeAll(async () => {
    table = await loadFields();
  });

  it('is of the version of Kubernetes that is followed', () => {
    expect(`v${table.version}+winnow`).toBe(VERSION.gitVersion);
  });

  it.each(resourceTypes.filter((type) => type.builtin))('knows $group/$version $kind', (type) => {
    const apiVersion = type.group === '' ? type.version : `${type.group}/${type.version}`;
    expect(table.kind(apiVersion, type.kind)?.fields.has('metadata')).toBe(true);
  });

  it('knows no kind that is an own property of objects', () => {
    expect(table.kind('v1', 'toString')).toBeUndefined();
  });

  it('tells what strategic merge, apply and protobuf need of a field', () => {
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

  it('has what JSON inlines among the fields, with where it stands on the wire', () => {
    const { fields } = table.message('core.v1.Volume');
    expect(fields.get('name')?.within).toEqual([]);
    expect(fields.get('configMap')).toMatchObject({ within: [2], pointer: true });
  });

  it('tells how what is inlined, refers to another object, or has its own word is owned', () => {
    const fieldOf = (message: string, name: string) => table.message(message).fields.get(name);
    expect(fieldOf('core.v1.EphemeralContainer', 'env')).toMatchObject({ relation: 'map', keys: ['name'] });
    expect(fieldOf('meta.v1.ObjectMeta', 'ownerReferences')).toMatchObject({ wholeElements: true });
    expect(fieldOf('core.v1.PersistentVolumeSpec', 'claimRef')?.relation).toBeUndefined();
    expect(fieldOf('core.v1.ResourceQuotaSpec', 'scopeSelector')?.relation).toBe('atomic');
  });

  it('follows types that contain themselves', () => {
    const schema = table.message('apiextensions.v1.JSONSchemaProps');
    expect(schema.fields.get('properties')?.message).toBe(schema);
  });
});
