import type { FieldError } from '../../../selectors/index.ts';
import { child, notSupported, required } from '../../field-errors/index.ts';
import type { Conversion } from './definition.ts';

/**
 * Returns the errors in the conversion between versions. Only `None` is supported: objects of all versions have the
 * same fields, and only apiVersion changes. A valid webhook is refused as not supported.
 */
export function conversionErrors(conversion: Conversion | undefined, path: string): FieldError[] {
  const { strategy = '', webhook } = conversion ?? { strategy: 'None' };
  const at = child(path, 'strategy');
  if (strategy === '') return [required(at)];
  if (strategy === 'None') return [];
  if (strategy !== 'Webhook') return [notSupported(at, strategy, ['None', 'Webhook'])];
  const missing = [
    ...(webhook?.clientConfig === undefined
      ? [required(child(path, 'webhookClientConfig'), 'required when strategy is set to Webhook')]
      : []),
    ...((webhook?.conversionReviewVersions ?? []).length === 0
      ? [required(child(path, 'conversionReviewVersions'))]
      : []),
  ];
  return missing.length > 0 ? missing : [notSupported(at, strategy, ['None'])];
}
