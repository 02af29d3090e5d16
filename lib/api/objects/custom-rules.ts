import type { CustomKind } from '../resource-types/index.ts';
import { customSchema } from './custom-schema.ts';
import type { TypeRules } from './type-rules.ts';

/** Objects of a custom kind are what the schema of their version says. */
export function customRules(custom: CustomKind): TypeRules {
  return {
    validate: async (body, old, subresource) => {
      const schema = await customSchema(custom);
      return subresource === 'status' && old !== undefined
        ? schema.validateStatus(body, old)
        : schema.validate(body, old);
    },
  };
}
