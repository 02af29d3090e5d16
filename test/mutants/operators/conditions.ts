import type { BinaryExpression, CallExpression, Node } from '@babel/types';
import type { Change } from '../mutant.ts';
import { brief, isFunction, type Place, textOf, walkOwn } from '../syntax.ts';

const OPPOSITES: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '==': '!=',
  '!=': '==',
  '<': '>=',
  '>=': '<',
  '>': '<=',
  '<=': '>',
};
const BOUNDARIES: Readonly<Record<string, string>> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' };
/** Methods whose argument decides. */
const PREDICATES = new Set(['filter', 'find', 'findIndex', 'every', 'some']);
const COUNTERPARTS = new Map([
  ['every', 'some'],
  ['some', 'every'],
  ['min', 'max'],
  ['max', 'min'],
]);

/** What may be decided otherwise at a node. */
export function conditionChanges(source: string, { node, parents }: Place): Change[] {
  const parent = parents[0];
  switch (node.type) {
    case 'BinaryExpression':
      return binaryChanges(source, node, parent);
    case 'LogicalExpression': {
      const [left, right] = [textOf(source, node.left), textOf(source, node.right)];
      const whole = textOf(source, node);
      if (node.operator === '??') {
        return [{ operator: 'default dropped', told: `${brief(whole)} → ${brief(left)}`, text: left }];
      }
      const other = node.operator === '&&' ? '||' : '&&';
      const told = `${brief(left, 50)} ${node.operator} ${brief(right, 50)} → ${other}`;
      const text = `(${left}) ${other} (${right})`;
      return [{ operator: 'and/or', told, text }, ...earlyEnd(source, node, parent)];
    }
    case 'AssignmentExpression': {
      if (node.operator !== '??=') return [];
      const [left, right] = [textOf(source, node.left), textOf(source, node.right)];
      const text = `${left} = ${right}`;
      return [{ operator: 'default dropped', told: `${brief(textOf(source, node))} → =`, text }];
    }
    case 'CallExpression':
      return [...counterpart(source, node), ...truthChanges(source, node, parent)];
    default:
      return truthChanges(source, node, parent);
  }
}

function binaryChanges(source: string, node: BinaryExpression, parent: Node | undefined): Change[] {
  const [left, right] = [textOf(source, node.left), textOf(source, node.right)];
  const whole = brief(textOf(source, node));
  const isOne = node.right.type === 'NumericLiteral' && node.right.value === 1;
  if (isOne && (node.operator === '+' || node.operator === '-')) {
    return [{ operator: 'off by one', told: `${whole} → ${brief(left)}`, text: left }];
  }
  const opposite = OPPOSITES[node.operator];
  if (opposite === undefined) return [];
  const boundary = BOUNDARIES[node.operator];
  const changed = (operator: Change['operator'], sign: string): Change => {
    return { operator, told: `${whole} → ${sign}`, text: `${left} ${sign} ${right}` };
  };
  return [
    changed('negated', opposite),
    ...(boundary === undefined ? [] : [changed('boundary', boundary)]),
    ...earlyEnd(source, node, parent),
  ];
}

/** A node that is asked whether it is true, and is no comparison itself. */
function truthChanges(source: string, node: Node, parent: Node | undefined): Change[] {
  if (parent === undefined || !isAsked(node, parent)) return [];
  const text = textOf(source, node);
  const negated =
    node.type === 'UnaryExpression' && node.operator === '!' ? textOf(source, node.argument) : `!(${text})`;
  const change: Change = { operator: 'negated', told: `${brief(text)} → ${brief(negated)}`, text: negated };
  return [change, ...earlyEnd(source, node, parent)];
}

function isAsked(node: Node, parent: Node): boolean {
  switch (parent.type) {
    case 'IfStatement':
    case 'WhileStatement':
    case 'DoWhileStatement':
    case 'ForStatement':
    case 'ConditionalExpression':
      return parent.test === node;
    case 'LogicalExpression':
      return parent.operator !== '??' && (parent.left === node || parent.operator === '&&');
    case 'ArrowFunctionExpression':
      return parent.body === node && node.type !== 'BlockStatement' && parent.extra?.isPredicate === true;
    default:
      return false;
  }
}

/** An `if` that only ends: without it, what follows is done in any case. */
function earlyEnd(source: string, node: Node, parent: Node | undefined): Change[] {
  if (parent?.type !== 'IfStatement' || parent.test !== node || parent.alternate) return [];
  const { consequent } = parent;
  const last = consequent.type === 'BlockStatement' ? consequent.body.at(-1) : consequent;
  const ends = /ReturnStatement|ThrowStatement|ContinueStatement|BreakStatement/.test(last?.type ?? '');
  const told = `if (${brief(textOf(source, node))}) ${brief(last ? textOf(source, last) : '')}`;
  return ends ? [{ operator: 'early end dropped', told, text: 'false' }] : [];
}

function counterpart(source: string, node: CallExpression): Change[] {
  const { callee } = node;
  if (callee.type !== 'MemberExpression') return [];
  const method = textOf(source, callee.property);
  const other = COUNTERPARTS.get(method);
  if (other === undefined) return [];
  const object = textOf(source, callee.object);
  const isMath = method === 'min' || method === 'max';
  if (isMath !== (object === 'Math')) return [];
  const whole = textOf(source, node);
  const at = (callee.property.start ?? 0) - (node.start ?? 0);
  const text = whole.slice(0, at) + other + whole.slice(at + method.length);
  return [{ operator: isMath ? 'min/max' : 'every/some', told: `${brief(whole)} → ${other}`, text }];
}

/** Marks the functions whose answer decides, so that {@link conditionChanges} knows them from below. */
export function markPredicates({ node }: Place): void {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return;
  const { property } = node.callee;
  const [argument] = node.arguments;
  if (property.type !== 'Identifier' || !PREDICATES.has(property.name) || argument === undefined) return;
  if (isFunction(argument)) argument.extra = { ...argument.extra, isPredicate: true };
}

/** Whether a function waits anywhere in the node itself. */
export function waits(node: Node): boolean {
  for (const one of walkOwn(node)) if (one.type === 'AwaitExpression') return true;
  return false;
}
