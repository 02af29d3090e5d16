import { Fault } from '../../connection/index.ts';
import type { Step } from '../examination.ts';
import { OBJECTS } from '../objects.ts';

export const write: Step = {
  name: 'write objects with labels',
  required: true,
  run: async ({ connection, objectsPath }) => {
    for (const [name, labels] of Object.entries(OBJECTS)) {
      const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels } };
      const { metadata } = await connection.ask('POST', objectsPath, { body });
      const { labels: kept = {} } = metadata as { labels?: Record<string, string> };
      if (JSON.stringify(kept) === JSON.stringify(labels)) continue;
      throw new Fault({
        what: `${name} was written with the labels ${JSON.stringify(labels)}, but has ${JSON.stringify(kept)}`,
        advice:
          'Does a proxy in front of the endpoint change requests? If not, this is a bug in Winnow: report it',
      });
    }
    return `${Object.keys(OBJECTS).length} config maps`;
  },
};
