import type { FieldError } from '../field-error.ts';
import { typeInvalid } from '../label-syntax.ts';
import { isRecord } from '../labels.ts';

/** v1.NodeSelectorRequirement as written, before any check of its meaning. */
export interface NodeExpression {
  readonly path: string;
  readonly key: string;
  readonly operator: string;
  /** Null where absent; Kubernetes' messages distinguish that from an empty list. */
  readonly values: readonly string[] | null;
}

/** v1.NodeSelectorTerm */
export interface NodeTerm {
  readonly matchExpressions: readonly NodeExpression[];
  readonly matchFields: readonly NodeExpression[];
}

export interface NodeTerms {
  readonly path: string;
  readonly terms: readonly NodeTerm[];
  /** Errors for parts of the wrong type. If there are any, the terms are incomplete. */
  readonly errors: readonly FieldError[];
}

/** Reads the structure of a v1.NodeSelector as Go's decoder does: null counts as empty. */
export function readNodeTerms(object: unknown, path: string): NodeTerms {
  const errors: FieldError[] = [];
  const listPath = path === '' ? 'nodeSelectorTerms' : `${path}.nodeSelectorTerms`;
  if (!isRecord(object)) {
    return {
      path: listPath,
      terms: [],
      errors: [typeInvalid(path || '<nil>', object, 'must be a node selector')],
    };
  }
  const terms = readList(object.nodeSelectorTerms, listPath, errors).map((term, index) =>
    readTerm(term, `${listPath}[${index}]`, errors),
  );
  return { path: listPath, terms, errors };
}

/** Reads one term in the same way. */
export function readNodeTerm(object: unknown, path: string): NodeTerms {
  const errors: FieldError[] = [];
  return { path, terms: [readTerm(object, path, errors)], errors };
}

function readTerm(term: unknown, path: string, errors: FieldError[]): NodeTerm {
  const parts = readObject(term, path, errors);
  const read = (name: string) =>
    readList(parts[name], `${path}.${name}`, errors).map((expression, index) =>
      readExpression(expression, `${path}.${name}[${index}]`, errors),
    );
  return { matchExpressions: read('matchExpressions'), matchFields: read('matchFields') };
}

function readExpression(expression: unknown, path: string, errors: FieldError[]): NodeExpression {
  const parts = readObject(expression, path, errors);
  const text = (value: unknown, at: string) => readText(value, at, errors);
  const listed = parts.values ?? null;
  const values = readList(listed, `${path}.values`, errors);
  return {
    path,
    key: text(parts.key, `${path}.key`),
    operator: text(parts.operator, `${path}.operator`),
    values: listed && values.map((value, index) => text(value, `${path}.values[${index}]`)),
  };
}

function readObject(value: unknown, path: string, errors: FieldError[]): Readonly<Record<string, unknown>> {
  if (isRecord(value)) return value;
  if (value !== undefined && value !== null) errors.push(typeInvalid(path, value, 'must be an object'));
  return {};
}

function readList(value: unknown, path: string, errors: FieldError[]): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (value !== undefined && value !== null) errors.push(typeInvalid(path, value, 'must be a list'));
  return [];
}

function readText(value: unknown, path: string, errors: FieldError[]): string {
  if (typeof value === 'string') return value;
  if (value !== undefined && value !== null) errors.push(typeInvalid(path, value, 'must be a string'));
  return '';
}
