import { type JsonObject, objectAt } from '../../json/index.ts';
import { type BindingInvocation, ConfigurationError, type Judged } from './types.ts';

/**
 * Returns the parameters of an invocation, one after the other; undefined stands for none where the policy has none.
 *
 * @throws {ConfigurationError} they cannot be read, or there are none and the binding requires some
 */
export function paramsOf(
  { params: query, binding }: BindingInvocation,
  judged: Pick<Judged, 'paramsOf'>,
): readonly (JsonObject | undefined)[] {
  if (query === undefined) return [undefined];
  const params = judged.paramsOf(query);
  const { parameterNotFoundAction } = objectAt(objectAt(binding.spec).paramRef);
  if (params.length > 0 || parameterNotFoundAction !== 'Deny') return params;
  throw new ConfigurationError('no params found for policy binding with `Deny` parameterNotFoundAction');
}
