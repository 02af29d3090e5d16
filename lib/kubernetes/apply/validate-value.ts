import { isJsonObject, type JsonObject, type JsonValue } from '../../json/index.ts';
import { goSyntax, goText, goType } from './go-format.ts';
import { ListElementError, listElement } from './list-element.ts';
import { fieldElement, indexElement, type PathElement, showElement } from './path-element.ts';
import type { ListShape, MapShape, Scalar, Shape } from './shape.ts';
import { handleAs, kindsOf } from './value-kind.ts';

/** A place where a value does not fit its shape, with upstream's message. */
export interface ShapeError {
  /** `.spec.replicas` */
  readonly path: string;
  readonly message: string;
}

export interface ValidateOptions {
  /** Whether a list may have two elements with the same key, as a stored object may. */
  readonly duplicates: boolean;
}

/** Returns all errors of `value`. Validation of a map stops at its first undeclared field. */
export function validateValue(shape: Shape, value: JsonValue, options: ValidateOptions): ShapeError[] {
  return handleAs<ShapeError[]>(shape, kindsOf(shape, value), {
    map: (map) => validateMap(map, value, options),
    list: (list) => validateList(list, value, options),
    scalar: (scalar) => validateScalar(scalar, value),
  });
}

/** Joins all errors into one text, as upstream does. */
export function showShapeErrors(errors: readonly ShapeError[]): string {
  const texts = errors.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  return texts.length === 1 ? (texts[0] ?? '') : ['errors:', ...texts.map((text) => `  ${text}`)].join('\n');
}

function validateMap(map: MapShape, value: JsonValue, options: ValidateOptions): ShapeError[] {
  if (value === null) return [];
  if (!isJsonObject(value)) return fail(`expected map, got &{${goText(value)}}`);
  return validateMembers(map, value, options);
}

function validateMembers(map: MapShape, value: JsonObject, options: ValidateOptions): ShapeError[] {
  const errors: ShapeError[] = [];
  for (const [key, member] of Object.entries(value)) {
    const shape = map.field(key) ?? map.rest;
    const element = fieldElement(key);
    if (shape === undefined) {
      errors.push(...below(element, fail('field not declared in schema')));
      break;
    }
    errors.push(...below(element, validateValue(shape, member, options)));
  }
  return errors;
}

function validateList(list: ListShape, value: JsonValue, options: ValidateOptions): ShapeError[] {
  if (value === null) return [];
  if (!Array.isArray(value)) return fail(`expected list, got &{${goText(value)}}`);
  const errors: ShapeError[] = [];
  const seen = new Set<PathElement>();
  for (const [index, item] of value.entries()) {
    const element = list.atomic ? indexElement(index) : elementOrError(list, item);
    if (element instanceof ListElementError) {
      return [...errors, ...fail(`element ${index}: ${element.message}`)];
    }
    if (seen.has(element) && !options.duplicates) {
      errors.push(...fail(`duplicate entries for key ${showElement(element)}`));
    }
    seen.add(element);
    errors.push(...below(element, validateValue(list.element, item, options)));
  }
  return errors;
}

function elementOrError(list: ListShape, item: JsonValue): PathElement | ListElementError {
  try {
    return listElement(list, item);
  } catch (error) {
    if (error instanceof ListElementError) return error;
    throw error;
  }
}

function validateScalar(scalar: Scalar, value: JsonValue): ShapeError[] {
  if (value === null) return [];
  switch (scalar) {
    case 'numeric':
      if (typeof value === 'number') return [];
      return fail(`expected numeric (int or float), got ${goType(value)}`);
    case 'string':
      if (typeof value === 'string') return [];
      return fail(`expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`);
    case 'boolean':
      return typeof value === 'boolean' ? [] : fail(`expected boolean, got &{${goText(value)}}`);
    case 'untyped':
      return typeof value === 'object' ? fail(`expected any scalar, got &{${goText(value)}}`) : [];
    default:
      return scalar satisfies never;
  }
}

function fail(message: string): ShapeError[] {
  return [{ path: '', message }];
}

function below(element: PathElement, errors: readonly ShapeError[]): ShapeError[] {
  return errors.map((error) => ({ ...error, path: `${showElement(element)}${error.path}` }));
}
