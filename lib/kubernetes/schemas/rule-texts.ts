import type { FieldError } from '../../selectors/index.ts';
import { child, index, invalid, notSupported, required } from '../field-errors/index.ts';
import type { Schema, ValidationRule } from './schema.ts';
import { resolveFieldPath } from './valid-field-path.ts';

const REASONS = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

/** Returns the errors in the rules of a schema that are found without compiling them. */
export function ruleTextErrors(schema: Schema, path: string): FieldError[] {
  return (schema['x-kubernetes-validations'] ?? []).flatMap((rule, at) => {
    const here = index(child(path, 'x-kubernetes-validations'), at);
    return [
      ...messageErrors(rule, here),
      ...(isBlank(rule.messageExpression)
        ? [required(child(here, 'messageExpression'), 'messageExpression must be non-empty if specified')]
        : []),
      ...(rule.reason === undefined || REASONS.includes(rule.reason)
        ? []
        : [notSupported(child(here, 'reason'), rule.reason, REASONS)]),
      ...fieldPathErrors(rule, schema, child(here, 'fieldPath')),
    ];
  });
}

function messageErrors({ rule = '', message = '' }: ValidationRule, path: string): FieldError[] {
  const at = child(path, 'message');
  if (rule.trim() === '') return [required(child(path, 'rule'), 'rule is not specified')];
  if (isBlank(message)) return [invalid(at, message, 'message must be non-empty if specified')];
  if (hasLineBreak(message.trim())) return [invalid(at, message, 'message must not contain line breaks')];
  return hasLineBreak(rule.trim()) && message === ''
    ? [required(at, 'message must be specified if rule contains line breaks')]
    : [];
}

function fieldPathErrors({ fieldPath = '' }: ValidationRule, schema: Schema, path: string): FieldError[] {
  if (fieldPath === '') return [];
  const details = [
    ...(fieldPath.trim() === '' ? ['fieldPath must be non-empty if specified'] : []),
    ...(hasLineBreak(fieldPath) ? ['fieldPath must not contain line breaks'] : []),
    ...('error' in resolveFieldPath(fieldPath, schema) ? ['fieldPath must be a valid path'] : []),
  ];
  return details.map((detail) => invalid(path, fieldPath, detail));
}

/** Whether a text is set but blank. */
function isBlank(text = ''): boolean {
  return text !== '' && text.trim() === '';
}

function hasLineBreak(text: string): boolean {
  return /[\n\r]/.test(text);
}
