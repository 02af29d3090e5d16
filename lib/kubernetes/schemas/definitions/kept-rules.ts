import type { JsonValue } from '../../../json/index.ts';
import type { KeptRules } from '../cel/index.ts';
import { sameValue } from '../same-value.ts';
import { type Schema, schemasBelow, type ValidationRule } from '../schema.ts';
import { type DefinitionSpec, versionsOf } from './definition.ts';

/**
 * Returns what the schema of a version keeps of the stored definition (pkg/apis/apiextensions/validation,
 * findVersionsWithUnchangedSchemas and findPreexistingExpressions).
 */
export function keptOf(schema: Schema, version: string, stored: DefinitionSpec): KeptRules {
  const schemas = versionsOf(stored).map((each) => ({
    name: each.name,
    schema: each.schema?.openAPIV3Schema ?? {},
  }));
  const rules = schemas.flatMap((each) => rulesIn(each.schema));
  const same = schemas.find(({ name }) => name === version);
  return {
    isUnchanged: same !== undefined && sameValue(schema as JsonValue, same.schema as JsonValue),
    rules: new Set(rules.map(({ rule = '' }) => rule)),
    messages: new Set(rules.map(({ messageExpression = '' }) => messageExpression)),
  };
}

function rulesIn(schema: Schema): ValidationRule[] {
  return [...(schema['x-kubernetes-validations'] ?? []), ...schemasBelow(schema).flatMap(rulesIn)];
}
