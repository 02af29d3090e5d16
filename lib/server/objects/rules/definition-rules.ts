import { type JsonObject, metadataOf, objectAt } from '../../../json/index.ts';
import { isBuiltinGroup, SELECTS } from '../../../kubernetes/resource-types/index.ts';
import type { FieldError } from '../../../selectors/index.ts';
import { metadataRules } from '../custom-schema.ts';
import type { TypeRules } from './rules.ts';

/** The code for definitions is loaded when one is written. */
const loadDefinitions = () => import('../../../kubernetes/schemas/index.ts');

/**
 * The rules of CustomResourceDefinitions: they get their defaults. The status is kept, or is the initial one of a new
 * definition. Callers may write its status.
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

/** The faults of the annotation that names fields with selectors. An unchanged annotation is not checked again. */
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
