import { describe, expect, it } from '@jest/globals';
import { inOrder, loadFields } from '../../../../lib/kubernetes/fields/index.ts';

describe('an object in the order of its type', () => {
  it('inOrder puts the fields into the order of Kubernetes', async () => {
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

  it('inOrder writes null for an empty field that Kubernetes never omits', async () => {
    const fields = await loadFields();
    expect(inOrder(fields.message('core.v1.PodSpec'), { containers: [] })).toEqual({ containers: null });
  });

  it('inOrder orders the messages inside maps', async () => {
    const fields = await loadFields();
    const schema = fields.message('apiextensions.v1.JSONSchemaProps');
    const sent = { properties: { b: { type: 'string', description: 'x' }, a: {} } };
    expect(JSON.stringify(inOrder(schema, sent))).toBe(
      '{"properties":{"b":{"description":"x","type":"string"},"a":{}}}',
    );
  });
});
