import type { Field, Message } from '../fields/index.ts';
import { atomicShape, deducedShape, type MapShape, type Scalar, type Shape } from './shape.ts';

const SHAPES = new WeakMap<Message, Shape>();

/** Returns the shape of a whole object of a built-in kind. */
export function kindShape(message: Message): Shape {
  const { map } = messageShape(message, false);
  const text: Shape = { scalar: 'string' };
  return {
    map: {
      atomic: false,
      field: (name) => (name === 'apiVersion' || name === 'kind' ? text : map?.field(name)),
    },
  };
}

/** Returns the shape of a part of an object, from the facts about Kubernetes' types. */
function messageShape(message: Message, atomic: boolean): Shape {
  const known = atomic ? undefined : SHAPES.get(message);
  if (known !== undefined) return known;
  const shape: Shape = { map: fieldsOf(message, atomic) };
  if (!atomic) SHAPES.set(message, shape);
  return shape;
}

function fieldsOf(message: Message, atomic: boolean): MapShape {
  const shapes = new Map<string, Shape>();
  return {
    atomic,
    field(name) {
      const field = message.fields.get(name);
      if (field === undefined) return undefined;
      const shape = shapes.get(name) ?? fieldShape(field);
      shapes.set(name, shape);
      return shape;
    },
    keyDefault(name) {
      const field = message.fields.get(name);
      const said = KEY_DEFAULTS.get(`${message.name}.${name}`);
      return said ?? (field === undefined || field.omitEmpty || field.pointer ? undefined : zeroOf(field));
    },
  };
}

/** Defaults from OpenAPI of optional keys. Any other key defaults to its zero value if Go always writes the field. */
const KEY_DEFAULTS: ReadonlyMap<string, string> = new Map([
  ['core.v1.ContainerPort.protocol', 'TCP'],
  ['core.v1.ServicePort.protocol', 'TCP'],
  ['core.v1.LocalObjectReference.name', ''],
]);

function zeroOf({ type }: Field): string | number | boolean {
  const scalar = SCALARS[type];
  if (scalar === 'numeric') return 0;
  return scalar === 'boolean' ? false : '';
}

function fieldShape(field: Field): Shape {
  const atomic = field.relation === 'atomic';
  if (field.container === '') return valueShape(field, atomic);
  if (field.container === 'l') {
    const element = valueShape(field, field.wholeElements);
    return { list: { atomic: !isAssociative(field), keys: field.keys, element } };
  }
  const value = valueShape(field, false);
  const rest: Shape = field.container === 'm' ? value : { list: { atomic: true, keys: [], element: value } };
  return { map: { atomic, field: () => undefined, rest } };
}

function isAssociative({ relation }: Field): boolean {
  return relation === 'set' || relation === 'map';
}

function valueShape(field: Field, atomic: boolean): Shape {
  if (field.message !== undefined) return messageShape(field.message, atomic);
  if (field.type === 'Raw') return atomicShape;
  if (field.type === 'Fields') return { map: { atomic: false, field: () => undefined, rest: deducedShape } };
  const scalar = SCALARS[field.type];
  return scalar === undefined ? deducedShape : { scalar };
}

const SCALARS: Readonly<Partial<Record<Field['type'], Scalar>>> = {
  string: 'string',
  bool: 'boolean',
  int32: 'numeric',
  int64: 'numeric',
  uint64: 'numeric',
  double: 'numeric',
  bytes: 'string',
  Time: 'untyped',
  MicroTime: 'untyped',
  Duration: 'string',
  Quantity: 'untyped',
  IntOrString: 'untyped',
};
