import { dns1035LabelErrors, type FieldError } from '../../../selectors/index.ts';
import {
  child,
  forbidden,
  goStrings,
  index,
  invalid,
  invalidPrinted,
  notSupported,
  required,
} from '../../field-errors/index.ts';
import type { Conversion } from './definition.ts';

/** The versions of ConversionReview that Kubernetes knows. */
const KNOWN_REVIEWS = ['v1', 'v1beta1'];

/**
 * Returns the errors in the conversion between versions. With `None`, objects of all versions have the same fields, and
 * only apiVersion changes. A webhook is stored, but Winnow never calls it.
 */
export function conversionErrors(conversion: Conversion | undefined, path: string): FieldError[] {
  const { strategy = '', webhook } = conversion ?? { strategy: 'None' };
  const at = child(path, 'strategy');
  const client = child(path, 'webhookClientConfig');
  const reviews = child(path, 'conversionReviewVersions');
  const versions = webhook?.conversionReviewVersions ?? [];
  if (strategy === 'Webhook') return [...clientErrors(webhook, client), ...reviewErrors(versions, reviews)];
  const misplaced = 'should not be set when strategy is not set to Webhook';
  return [
    ...(strategy === '' ? [required(at)] : []),
    ...(strategy === '' || strategy === 'None' ? [] : [notSupported(at, strategy, ['None', 'Webhook'])]),
    ...(webhook?.clientConfig === undefined ? [] : [forbidden(client, misplaced)]),
    ...(versions.length === 0 ? [] : [forbidden(reviews, misplaced)]),
  ];
}

function clientErrors(webhook: Conversion['webhook'], path: string): FieldError[] {
  const { clientConfig } = webhook ?? {};
  if (clientConfig === undefined) return [required(path, 'required when strategy is set to Webhook')];
  const given = [clientConfig.url, clientConfig.service].filter(
    (each) => each !== undefined && each !== null,
  );
  return given.length === 1 ? [] : [required(path, 'exactly one of url or service is required')];
}

function reviewErrors(versions: readonly string[], path: string): FieldError[] {
  if (versions.length === 0) return [required(path)];
  const errors = versions.flatMap((version, at) =>
    versions.indexOf(version) < at
      ? [invalid(index(path, at), version, 'duplicate version')]
      : dns1035LabelErrors(version).map((error) => invalid(index(path, at), version, error)),
  );
  if (versions.some((version) => KNOWN_REVIEWS.includes(version))) return errors;
  const detail = `must include at least one of ${KNOWN_REVIEWS.join(', ')}`;
  return [...errors, invalidPrinted(path, goStrings(versions), detail)];
}
