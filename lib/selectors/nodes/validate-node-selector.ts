import type { FieldError } from '../field-error.ts';
import { invalid, labelKeyErrors, labelValueErrors } from '../label-syntax.ts';
import { dns1123SubdomainErrors } from '../names.ts';
import { type NodeExpression, readNodeTerm, readNodeTerms } from './node-terms.ts';

/**
 * Returns all errors that the API server finds in a node selector (a pod's required node affinity, a volume's), in
 * the words of its ValidateNodeSelector. It accepts a bound that is not an integer, which only `fromNodeSelector`
 * rejects.
 */
export function validateNodeSelector(object: unknown, path = ''): FieldError[] {
  const { terms, errors, path: field } = readNodeTerms(object, path);
  if (errors.length > 0) return [...errors];
  if (terms.length === 0) {
    return [{ type: 'Required', field, detail: 'must have at least one node selector term' }];
  }
  return terms.flatMap(({ matchExpressions, matchFields }) => [
    ...matchExpressions.flatMap(expressionErrors),
    ...matchFields.flatMap(fieldErrors),
  ]);
}

/** Like {@link validateNodeSelector}, for one preferred term of a pod. Its label values may be anything. */
export function validateNodeTerm(object: unknown, path = ''): FieldError[] {
  const { terms, errors } = readNodeTerm(object, path);
  if (errors.length > 0) return [...errors];
  return terms.flatMap(({ matchExpressions, matchFields }) => [
    ...matchExpressions.flatMap(formErrors),
    ...matchFields.flatMap(fieldErrors),
  ]);
}

function expressionErrors(expression: NodeExpression): FieldError[] {
  return [...formErrors(expression), ...valueErrors(expression.path, expression.values, labelValueErrors)];
}

function formErrors({ path, key, operator, values }: NodeExpression): FieldError[] {
  return [
    ...countErrors({ path, operator, count: values?.length ?? 0 }),
    ...labelKeyErrors(key).map((detail) => invalid(`${path}.key`, key, detail)),
  ];
}

function countErrors({
  path,
  operator,
  count,
}: {
  path: string;
  operator: string;
  count: number;
}): FieldError[] {
  const field = `${path}.values`;
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (count > 0) return [];
      return [{ type: 'Required', field, detail: "must be specified when `operator` is 'In' or 'NotIn'" }];
    case 'Exists':
    case 'DoesNotExist': {
      if (count === 0) return [];
      const detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
      return [{ type: 'Forbidden', field, detail }];
    }
    case 'Gt':
    case 'Lt': {
      if (count === 1) return [];
      const detail = "must be specified single value when `operator` is 'Lt' or 'Gt'";
      return [{ type: 'Required', field, detail }];
    }
    default:
      return [unknownOperator(path, operator)];
  }
}

/** The errors of a field expression. The only field of a node that a term may name is its name. */
function fieldErrors({ path, key, operator, values }: NodeExpression): FieldError[] {
  const errors: FieldError[] = [];
  if (operator !== 'In' && operator !== 'NotIn') {
    errors.push(unknownOperator(path, operator));
  } else if (values?.length !== 1) {
    const detail = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
    errors.push({ type: 'Required', field: `${path}.values`, detail });
  }
  if (key === 'metadata.name') return [...errors, ...valueErrors(path, values, dns1123SubdomainErrors)];
  return [...errors, invalid(`${path}.key`, key, 'not a valid field selector key')];
}

function valueErrors(
  path: string,
  values: readonly string[] | null,
  check: (value: string) => string[],
): FieldError[] {
  return (values ?? []).flatMap((value, index) =>
    check(value).map((detail) => invalid(`${path}.values[${index}]`, value, detail)),
  );
}

function unknownOperator(path: string, operator: string): FieldError {
  return invalid(`${path}.operator`, operator, 'not a valid selector operator');
}
