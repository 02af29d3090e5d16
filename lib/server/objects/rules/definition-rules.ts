import { type JsonObject, metadataOf, objectAt } from '../../../json/index.ts';
import { isBuiltinGroup, SELECTS } from '../../../kubernetes/resource-types/index.ts';
import type { FieldError } from '../../../selectors/index.ts';
import { metadataRules } from '../custom-schema.ts';
import type { TypeRules } from './rules.ts';

/** What checks definitions is loaded when one is written. */
const loadDefinitions = () => import('../../../kubernetes/schemas/index.ts');

/**
 * A CustomResourceDefinition has its defaults, and the status that it keeps or, when it is new, begins with. Callers
 * may write its status.
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
    const errors = await validateDefinition(body, await metadataRules(), old);
    return [...errors, ...takenGroup(body), ...(await badSelects(body, old))];
  },
};

/** What the annotation says that names fields with selectors; one that was let in once may stay. */
async function badSelects(body: JsonObject, old: JsonObject | undefined): Promise<readonly FieldError[]> {
  const { [SELECTS]: text } = objectAt(metadataOf(body).annotations);
  const { [SELECTS]: before } = objectAt(metadataOf(old ?? {}).annotations);
  if (typeof text !== 'string' || text === before) return [];
  return (await import('../../../kubernetes/carriers/index.ts')).readDeclaredFields(text).errors;
}

function takenGroup({ spec }: JsonObject): FieldError[] {
  const { group } = objectAt(spec);
  if (typeof group !== 'string' || group === '' || !isBuiltinGroup(group)) return [];
  return [
    {
      type: 'Forbidden',
      field: 'spec.group',
      detail: `the server itself serves the API group ${group}; choose another group`,
    },
  ];
}
