import { additionalOf, itemsOf, propertiesOf, type Schema } from '../schema.ts';
import { celName } from './property-names.ts';

/** The request size in bytes that upstream assumes (k8s.io/apiserver/pkg/cel, DefaultMaxRequestSizeBytes). */
const MOST_BYTES = 3 * 1024 * 1024;
/** The cost per character of scanning a text. */
const PER_CHARACTER = 0.1;

/** A node of the parser's syntax tree. */
export interface CostNode {
  readonly op: string;
  readonly args: unknown;
}

interface Cost {
  readonly cost: number;
  /** The schema of the value, if it is known. */
  readonly schema: Schema | undefined;
  /** The maximum number of elements or characters in the value. */
  readonly size: number;
}

type Scope = ReadonlyMap<string, Schema | undefined>;

/**
 * Returns the maximum cost of evaluating an expression, in Kubernetes' units, from the maximum sizes that the schema
 * allows. It approximates the estimate of k8s.io/apiserver's CEL library: steps, iterated elements, characters read.
 * A value without a limit counts as large as a request may be.
 */
export function expressionCost(ast: CostNode, schema: Schema): number {
  const scope = new Map([
    ['self', schema],
    ['oldSelf', schema],
  ]);
  return costOf(ast, scope).cost;
}

/** Returns the maximum number of elements of a list or map schema in one object; 1 for other schemas. */
export function mostElements(schema: Schema): number {
  if (schema.type === 'array') return schema.maxItems ?? bound(smallest(itemsOf(schema)));
  if (additionalOf(schema) !== undefined) {
    return schema.maxProperties ?? bound(smallest(additionalOf(schema)) + 4);
  }
  return 1;
}

function costOf(node: CostNode, scope: Scope): Cost {
  switch (node.op) {
    case 'value':
      return { cost: 0, schema: undefined, size: String(node.args).length };
    case 'id':
      return sized(1, scope.get(String(node.args)));
    case '.':
    case '.?': {
      const [of, name] = node.args as [CostNode, string];
      const owner = costOf(of, scope);
      return sized(owner.cost + 1, member(owner.schema, name));
    }
    case '[]':
    case '[?]': {
      const [of, at] = node.args as [CostNode, CostNode];
      const owner = costOf(of, scope);
      const element = owner.schema && (itemsOf(owner.schema) ?? additionalOf(owner.schema));
      return sized(owner.cost + costOf(at, scope).cost + 1, element);
    }
    case 'list':
      return listCost(nodesIn(node.args), scope);
    case 'rcall':
      return methodCost(node.args as [string, CostNode, CostNode[]], scope);
    default:
      return operatorCost(node, scope);
  }
}

/** Returns the cost of a list that the rule writes out. */
function listCost(elements: readonly CostNode[], scope: Scope): Cost {
  const costs = elements.map((element) => costOf(element, scope));
  const longest = Math.max(1, ...costs.map(({ size }) => size));
  return {
    cost: costs.reduce((sum, { cost }) => sum + cost, 1),
    schema: { type: 'array', items: { type: 'string', maxLength: longest } },
    size: elements.length,
  };
}

/** Operators and functions whose result is true or false. */
const BOOLEAN: ReadonlySet<string> = new Set(['has', '!_', '&&', '||', '<', '<=', '>', '>=']);

function operatorCost({ op, args }: CostNode, scope: Scope): Cost {
  const operands = nodesIn(args).map((operand) => costOf(operand, scope));
  const own = operands.reduce((sum, { cost }) => sum + cost, 1);
  const sizes = operands.map(({ size }) => size);
  if (op === 'in') return { cost: own + (sizes[1] ?? 1), schema: undefined, size: 1 };
  if (op === '==' || op === '!=') {
    return { cost: own + Math.min(...sizes) * PER_CHARACTER, schema: undefined, size: 1 };
  }
  if (op === '+') {
    const size = sizes.reduce((sum, each) => sum + each, 0);
    return { cost: own + size * PER_CHARACTER, schema: undefined, size };
  }
  const name = op === 'call' ? (args as readonly unknown[])[0] : op;
  const largest = BOOLEAN.has(String(name)) ? 1 : Math.max(1, ...sizes);
  return { cost: own, schema: undefined, size: largest };
}

const COMPREHENSIONS: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'map', 'filter']);
/** Methods whose cost does not depend on the size of their receiver. */
const FLAT: ReadonlySet<string> = new Set(['size', 'hasValue', 'value', 'orValue', 'family']);

function methodCost([name, of, operands]: [string, CostNode, CostNode[]], scope: Scope): Cost {
  const range = costOf(of, scope);
  if (COMPREHENSIONS.has(name)) {
    const [variable, ...steps] = operands;
    const element = range.schema && itemsOf(range.schema);
    const inner = new Map([...scope, [String(variable?.args), element ?? KEY] as const]);
    const step = steps.reduce((sum, each) => sum + costOf(each, inner).cost, 3);
    const many = name === 'map' || name === 'filter' ? range.size : 1;
    return { cost: range.cost + range.size * step, schema: undefined, size: many };
  }
  const costs = operands.map((operand) => costOf(operand, scope));
  const own = costs.reduce((sum, { cost }) => sum + cost, range.cost + 1);
  if (FLAT.has(name)) {
    return { cost: own, schema: name === 'size' ? undefined : range.schema, size: range.size };
  }
  const read = Math.ceil(range.size * PER_CHARACTER);
  const pattern = costs.reduce(
    (product, { size }) => product * Math.max(1, Math.ceil(size * PER_CHARACTER)),
    1,
  );
  return { cost: own + read * pattern, schema: undefined, size: range.size };
}

/** The schema of a map key. */
const KEY: Schema = { type: 'string' };

function sized(cost: number, schema: Schema | undefined): Cost {
  return { cost, schema, size: schema === undefined ? MOST_BYTES : sizeOf(schema) };
}

function sizeOf(schema: Schema): number {
  if (schema.type === 'string') return schema.maxLength ?? textBound(schema);
  if (schema.type === 'array' || schema.type === 'object') return mostElements(schema);
  return schema['x-kubernetes-int-or-string'] === true ? MOST_BYTES : 1;
}

/** Returns the maximum length of a text. An enum or a short format limits it. */
function textBound({ enum: allowed = [], format = '' }: Schema): number {
  if (allowed.length > 0) return Math.max(...allowed.map((one) => String(one).length));
  return ['date', 'date-time', 'duration', 'ipv4', 'ipv6', 'uuid', 'mac'].includes(format) ? 64 : MOST_BYTES;
}

/** Returns the schema of a field, by its name in rules. */
function member(schema: Schema | undefined, name: string): Schema | undefined {
  if (schema === undefined) return undefined;
  const properties = propertiesOf(schema);
  const own = properties.get(name) ?? [...properties].find(([each]) => celName(each) === name)?.[1];
  return own ?? additionalOf(schema) ?? (META.has(name) ? NAME : undefined);
}

const META: ReadonlySet<string> = new Set(['metadata', 'name', 'generateName', 'apiVersion', 'kind']);
/** The schema of object names, whose length is limited. */
const NAME: Schema = { type: 'string', maxLength: 253 };

/** Returns the minimum number of bytes of a value in a request. */
function smallest(schema: Schema | undefined): number {
  if (schema === undefined) return 1;
  const { type = '', required = [] } = schema;
  if (type === 'object') {
    const properties = propertiesOf(schema);
    return required.reduce((sum, name) => sum + name.length + 4 + smallest(properties.get(name)), 2);
  }
  return type === 'string' || type === 'array' ? 2 : 1;
}

function bound(bytes: number): number {
  return Math.ceil(MOST_BYTES / (bytes + 1));
}

function nodesIn(args: unknown): CostNode[] {
  if (Array.isArray(args)) return args.flatMap(nodesIn);
  return typeof args === 'object' && args !== null && 'op' in args ? [args as CostNode] : [];
}
