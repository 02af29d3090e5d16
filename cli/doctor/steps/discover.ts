import { Fault } from '../../connection/index.ts';
import type { Step } from '../examination.ts';

/** The resource types that the other steps use, by the path of their group. */
const USED = [
  ['/api/v1', ['namespaces', 'configmaps']],
  ['/apis/winnow.dev/v1', ['subscriptions']],
] as const;

export const discover: Step = {
  name: 'discovery',
  required: true,
  run: async ({ connection }) => {
    let count = 0;
    for (const [path, used] of USED) {
      const { resources = [] } = await connection.ask('GET', path);
      const names = new Set(resources.map(({ name }) => name));
      const missing = used.filter((name) => !names.has(name));
      if (missing.length > 0) {
        throw new Fault({
          what: `${path} does not list ${missing.join(', ')}`,
          advice:
            'Does this command belong to another version of Winnow, or does a proxy in front of the endpoint change answers?',
        });
      }
      count += [...names].filter((name) => !name.includes('/')).length;
    }
    return `${count} resource types in ${USED.map(([path]) => path).join(' and ')}`;
  },
};
