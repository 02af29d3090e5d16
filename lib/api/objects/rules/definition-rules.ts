import type { FieldError } from '../../../selectors/index.ts';
import { type JsonObject, objectAt } from '../../../store/index.ts';
import { isBuiltinGroup } from '../../resource-types/index.ts';
import { metadataRules } from '../custom-schema.ts';
import type { TypeRules } from './type-rules.ts';

/** What checks definitions is loaded when one is written. */
const loadDefinitions = () => import('../../schemas/index.ts');

/**
 * A CustomResourceDefinition has its defaults, and the status that it keeps or, when it is new, begins with. Its status
 * by itself is whoever's who writes it.
 */
export const definitionRules: TypeRules = {
  read: async (body) => (await loadDefinitions()).defaultDefinition(body),
  prepare: async (body, old, subresource = '') => {
    if (subresource === 'status') return body;
    const { defaultDefinition, newDefinition, nextDefinition } = await loadDefinitions();
    const defaulted = defaultDefinition(body);
    return old === undefined ? newDefinition(defaulted) : nextDefinition(defaulted, body);
  },
  validate: async (body, old, subresource = '') => {
    if (subresource === 'status') return [];
    const { validateDefinition } = await loadDefinitions();
    return [...(await validateDefinition(body, await metadataRules(), old)), ...takenGroup(body)];
  },
};

function takenGroup({ spec }: JsonObject): FieldError[] {
  const { group } = objectAt(spec);
  if (typeof group !== 'string' || group === '' || !isBuiltinGroup(group)) return [];
  return [{ type: 'Forbidden', field: 'spec.group', detail: `${group} is a group of this API's own` }];
}
