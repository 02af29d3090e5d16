import type { CustomKind, Scaling } from '../../../kubernetes/resource-types/index.ts';
import { customSchema } from '../custom-schema.ts';
import type { TypeRules } from './rules.ts';

/** The rules of a custom kind: objects fit the schema of their version, and values that `/scale` can show. */
export function customRules(custom: CustomKind, scale?: Scaling): TypeRules {
  const paths = scale?.paths;
  return {
    validate: async (body, old, subresource) => {
      const schema = await customSchema(custom);
      const { scaledErrors, scaledStatusErrors } = await import('../../../kubernetes/schemas/index.ts');
      return subresource === 'status' && old !== undefined
        ? [...(await schema.validateStatus(body, old)), ...scaledStatusErrors(paths, body)]
        : [...(await schema.validate(body, old)), ...scaledErrors(paths, body)];
    },
  };
}
