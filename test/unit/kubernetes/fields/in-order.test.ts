import { describe, expect, it } from '@jest/globals';
import { inOrder, loadFields } from '../../../../lib/kubernetes/fields/index.ts';

describe('An object in the field order of its type', () => {
  it('The object has the spelling of Kubernetes, whatever the input order was', async () => {
    const fields = await loadFields();
    const sent = {
      spec: { restartPolicy: 'Never', containers: [{ image: 'a', name: 'b', env: [] }] },
      metadata: { labels: { z: '1', a: '2' }, name: 'x' },
      kind: 'Pod',
    };
    expect(JSON.stringify(inOrder(fields.message('core.v1.Pod'), sent))).toBe(
      '{"kind":"Pod","metadata":{"name":"x","labels":{"z":"1","a":"2"}},' +
        '"spec":{"containers":[{"name":"b","image":"a","env":[]}],"restartPolicy":"Never"}}',
    );
  });

  it('The object has null for empty fields that are never omitted', async () => {
    const fields = await loadFields();
    expect(inOrder(fields.message('core.v1.PodSpec'), { containers: [] })).toEqual({ containers: null });
  });

  it('The order applies inside maps of messages', async () => {
    const fields = await loadFields();
    const schema = fields.message('apiextensions.v1.JSONSchemaProps');
    const sent = { properties: { b: { type: 'string', description: 'x' }, a: {} } };
    expect(JSON.stringify(inOrder(schema, sent))).toBe(
      '{"properties":{"b":{"description":"x","type":"string"},"a":{}}}',
    );
  });
});
