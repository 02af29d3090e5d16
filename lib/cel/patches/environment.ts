import type { Environment } from '../declarations.ts';
import { functionsIn } from '../environment/index.ts';
import { typed } from '../functions/index.ts';
import type { Shape, ShapeField } from '../shape.ts';
import { DYN, STRING, struct, type Type } from '../types.ts';
import { CelError, type MapValue, type Value } from '../values/index.ts';
import { ObjectValue, PatchValue } from './patch-values.ts';

const OBJECT_NAME = 'Object';
const PATCH_NAME = 'JSONPatch';

const ESCAPE = functionsIn('jsonpatch.escapeKey string_jsonpatch_escapeKey_string(string)string');

/**
 * Adds what the expressions of mutations may use (k8s.io/apiserver/pkg/cel/mutation): the types `JSONPatch`, `Object`
 * and `Object.<field>…`, whose fields may have any name, and `jsonpatch.escapeKey`.
 */
export function withPatchTypes(base: Environment): Environment {
  return {
    ...base,
    functions: new Map([...base.functions, ...ESCAPE.map((each) => [each.name, each] as const)]),
    implementations: { ...base.implementations, string_jsonpatch_escapeKey_string: escapeKey },
    structs: new Resolving(base.structs, shapeOf),
    typeNames: new Resolving(base.typeNames, typeNamed),
    construct,
  };
}

/** Escapes a key for a JSON pointer. */
const escapeKey = typed(({ meter }, key: string) => {
  meter.buildText(2 * key.length);
  return key.replaceAll(/[~/]/g, (each) => (each === '~' ? '~0' : '~1'));
});

function construct(name: string, fields: MapValue): Value {
  if (isObject(name)) return new ObjectValue(name, fields);
  return name === PATCH_NAME ? PatchValue.of(fields) : new CelError(`unknown type '${name}'`);
}

const isObject = (name: string): boolean => name === OBJECT_NAME || name.startsWith(`${OBJECT_NAME}.`);

function typeNamed(name: string): Type | undefined {
  return isObject(name) || name === PATCH_NAME ? struct(name) : undefined;
}

function field(name: string, type: Type): ShapeField {
  return { escaped: name, shape: { form: 'dyn', type, nullable: true, minBytes: 0, maxElements: undefined } };
}

function shapeOf(name: string): Shape | undefined {
  const fields = isObject(name) ? ANY_FIELDS : name === PATCH_NAME ? PATCH_FIELDS : undefined;
  if (fields === undefined) return undefined;
  return {
    form: 'object',
    type: struct(name),
    nullable: true,
    minBytes: 0,
    maxElements: undefined,
    fields,
  };
}

/** A map that also finds names which it does not enumerate. */
class Resolving<Found> extends Map<string, Found> {
  readonly #resolve: (name: string) => Found | undefined;

  constructor(known: ReadonlyMap<string, Found>, resolve: (name: string) => Found | undefined) {
    super(known);
    this.#resolve = resolve;
  }

  override get(name: string): Found | undefined {
    return super.get(name) ?? this.#resolve(name);
  }
}

const ANY_FIELDS: ReadonlyMap<string, ShapeField> = new Resolving(new Map(), (name) => field(name, DYN));
/** Other fields have a type without a name, as in kube-apiserver, so that only dynamic values fit them. */
const PATCH_FIELDS: ReadonlyMap<string, ShapeField> = new Resolving(
  new Map([
    ...['op', 'path', 'from'].map((name) => [name, field(name, STRING)] as const),
    ['value', field('value', DYN)],
  ]),
  (name) => field(name, struct('')),
);
