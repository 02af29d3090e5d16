import { INT_OR_STRING, isRecord, isSame, type JsonSchema, refuse, refuseOthers } from './json-schema.ts';

/** The types whose values have no parts. */
const SCALARS = new Set(['string', 'number', 'integer', 'boolean']);

/**
 * Returns the structural schema of a union. A union of constants is an enum, and one of an integer and a string has a form
 * of its own. Other branches of one type without parts stay a union of their conditions. A condition beside the union has to
 * be in each branch too, as ArkType repeats a format.
 *
 * @throws {UnsupportedSchemaError} the branches have different types, or parts
 */
export function convertUnion(
  schema: JsonSchema,
  branches: readonly unknown[],
  path: string,
  convert: (branch: unknown) => JsonSchema,
): JsonSchema {
  const { anyOf: _anyOf, oneOf: _oneOf, ...rest } = schema;
  if (branches.length === 1) {
    const { allOf = [] } = rest;
    return convert({ ...rest, allOf: [...(allOf as unknown[]), branches[0]] });
  }
  const { type: outer, ...beside } = rest;
  const isRepeated = (keyword: string) =>
    branches.every((branch) => isRecord(branch) && isSame(branch[keyword], beside[keyword]));
  refuseOthers(beside, Object.keys(beside).filter(isRepeated), path);
  const typed = (branch: unknown) =>
    outer === undefined || !isRecord(branch) || branch.type !== undefined
      ? branch
      : { type: outer, ...branch };
  const converted = branches.map((branch) => convert(typed(branch)));
  if (converted.some((one) => one.default !== undefined)) {
    refuse(path, 'a default in a branch of a union is not possible; give it to the union');
  }
  const isNullable = converted.some(({ nullable }) => nullable === true);
  const form = unionOf(converted.map(conditions), schema.anyOf === undefined ? 'oneOf' : 'anyOf');
  if (form === undefined) {
    const why = 'a union of different types is not possible; use one object with optional fields';
    refuse(path, why);
  }
  return isNullable ? { nullable: true, ...form } : form;
}

/** What a branch demands of values other than null. */
function conditions({ description: _description, nullable: _nullable, ...rest }: JsonSchema): JsonSchema {
  const values = rest.enum;
  return Array.isArray(values) ? { ...rest, enum: values.filter((value) => value !== null) } : rest;
}

function unionOf(branches: readonly JsonSchema[], keyword: 'anyOf' | 'oneOf'): JsonSchema | undefined {
  const types = new Set(branches.map(({ type }) => type));
  const [type] = types;
  const isPlain = (one: JsonSchema) => Object.keys(one).join() === 'type';
  if (types.size === 2 && types.has('integer') && types.has('string')) {
    return branches.every(isPlain) ? INT_OR_STRING : undefined;
  }
  // A union that contains an integer or a string already.
  const isMixed = (one: JsonSchema) => one['x-kubernetes-int-or-string'] === true;
  if (branches.some(isMixed)) {
    return branches.every(
      (one) => isMixed(one) || (isPlain(one) && /^(integer|string)$/.test(String(one.type))),
    )
      ? INT_OR_STRING
      : undefined;
  }
  if (types.size !== 1 || !SCALARS.has(String(type))) return undefined;
  const values = branches.map((one) => one.enum);
  if (values.every(Array.isArray)) return { type, enum: [...new Set(values.flat())] };
  if (branches.some(({ 'x-kubernetes-validations': rules }) => rules !== undefined)) return undefined;
  return { type, [keyword]: branches.map(({ type: _type, ...rest }) => rest) };
}
