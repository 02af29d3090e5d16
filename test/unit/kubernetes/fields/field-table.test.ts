import { beforeAll, describe, expect, it } from '@jest/globals';
import { type FieldTable, loadFields } from '../../../../lib/kubernetes/fields/index.ts';
import { resourceTypes } from '../../../../lib/kubernetes/resource-types/index.ts';
import { VERSION } from '../../../../lib/server/documents/version.ts';

describe('the table of field facts', () => {
  let table: FieldTable;
  beforeAll(async () => {
    table = await loadFields();
  });

  it('the field table has the Kubernetes version that Winnow reports', () => {
    expect(`v${table.version}+winnow`).toBe(VERSION.gitVersion);
  });

  it.each(resourceTypes.filter((type) => type.builtin))('the table knows $group/$version $kind', (type) => {
    const apiVersion = type.group === '' ? type.version : `${type.group}/${type.version}`;
    expect(table.kind(apiVersion, type.kind)?.fields.has('metadata')).toBe(true);
  });

  it('the field table has no kind with the name of an Object.prototype property', () => {
    expect(table.kind('v1', 'toString')).toBeUndefined();
  });

  it('the field table holds the facts that strategic merge, apply and protobuf need', () => {
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

  it('the fields include those that JSON inlines, with their path on the wire', () => {
    const { fields } = table.message('core.v1.Volume');
    expect(fields.get('name')?.within).toEqual([]);
    expect(fields.get('configMap')).toMatchObject({ within: [2], pointer: true });
  });

  it('the field table holds how inlined fields, object references and marked fields are owned', () => {
    const fieldOf = (message: string, name: string) => table.message(message).fields.get(name);
    expect(fieldOf('core.v1.EphemeralContainer', 'env')).toMatchObject({ relation: 'map', keys: ['name'] });
    expect(fieldOf('meta.v1.ObjectMeta', 'ownerReferences')).toMatchObject({ wholeElements: true });
    expect(fieldOf('core.v1.PersistentVolumeSpec', 'claimRef')?.relation).toBeUndefined();
    expect(fieldOf('core.v1.ResourceQuotaSpec', 'scopeSelector')?.relation).toBe('atomic');
  });

  it('the field table supports recursive types', () => {
    const schema = table.message('apiextensions.v1.JSONSchemaProps');
    expect(schema.fields.get('properties')?.message).toBe(schema);
  });
});
