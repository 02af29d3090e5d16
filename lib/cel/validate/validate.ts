import type { CallExpression, Expression, ListExpression, MapExpression } from '../ast.ts';
import { formatType } from '../check/index.ts';
import type { Checked } from '../checked.ts';
import { ExpressionError, type Issue } from '../issues.ts';
import { DYN, type Type } from '../types.ts';
import { formatIssue } from './validate-format.ts';

/** What the validation of literals asks of the libraries. */
export interface Literals {
  /** Returns true if the call of `duration` or `timestamp` has a value. */
  readonly evaluates: (call: CallExpression) => boolean;
  /** Returns true if the text is a regular expression. */
  readonly isPattern: (text: string) => boolean;
}

/**
 * Validates the literals of a checked expression, as Kubernetes' environment does: arguments of `duration`, `timestamp`,
 * `matches` and `format`, and the types in list and map literals.
 *
 * @throws {ExpressionError} with all faults
 */
export function validate(checked: Checked, literals: Literals): void {
  const issues: Issue[] = [];
  const report = (id: number, message: string) => issues.push({ offset: checked.offsets.get(id), message });
  const visit = (node: Expression, isFormatted: boolean): void => {
    const isCall = node.kind === 'call';
    const below = isFormatted || (isCall && node.function === 'format');
    for (const child of childrenOf(node)) visit(child, below);
    if (node.kind === 'call') validateCall(checked, literals, node, report);
    if (isFormatted) return;
    if (node.kind === 'list') validateList(checked, node, report);
    if (node.kind === 'map') validateMap(checked, node, report);
  };
  visit(checked.expression, false);
  if (issues.length > 0) throw new ExpressionError(checked.text, issues);
}

type Report = (id: number, message: string) => void;

function validateCall(checked: Checked, literals: Literals, call: CallExpression, report: Report): void {
  const [first] = call.args;
  if (call.function === 'format') {
    const issue = formatIssue(checked, call);
    if (issue !== undefined) report(issue.id, issue.message);
    return;
  }
  if (first?.kind !== 'constant' || !CHECKED_CALLS.has(call.function)) return;
  const isValid =
    call.function === 'matches'
      ? first.constant.type !== 'string' || literals.isPattern(first.constant.value)
      : literals.evaluates(call);
  if (!isValid) report(first.id, `invalid ${call.function} argument`);
}

const CHECKED_CALLS: ReadonlySet<string> = new Set(['duration', 'timestamp', 'matches']);

function validateList(checked: Checked, { elements, optionalIndices }: ListExpression, report: Report): void {
  let expected: Type | undefined;
  const optional = new Set(optionalIndices);
  for (const [at, element] of elements.entries()) {
    const type = typeIn(checked, element, optional.has(at));
    expected ??= type;
    if (isEquivalent(expected, type)) continue;
    mismatch(report, element.id, expected, type);
    return;
  }
}

function validateMap(checked: Checked, { entries }: MapExpression, report: Report): void {
  let expected: { readonly key: Type; readonly value: Type } | undefined;
  for (const entry of entries) {
    const key = typeIn(checked, entry.key, false);
    const value = typeIn(checked, entry.value, entry.optional);
    expected ??= { key, value };
    if (!isEquivalent(expected.key, key)) mismatch(report, entry.key.id, expected.key, key);
    if (!isEquivalent(expected.value, value)) mismatch(report, entry.value.id, expected.value, value);
  }
}

function mismatch(report: Report, id: number, expected: Type, found: Type): void {
  report(id, `expected type '${formatType(expected)}' but found '${formatType(found)}'`);
}

/** Returns the type of an element; of an optional one, the type inside. */
function typeIn({ types }: Checked, { id }: Expression, isOptional: boolean): Type {
  const type = types.get(id) ?? DYN;
  return isOptional ? (type.parameters[0] ?? DYN) : type;
}

function isEquivalent(one: Type, other: Type): boolean {
  return (
    one === other ||
    (one.kind === other.kind &&
      one.name === other.name &&
      one.parameters.length === other.parameters.length &&
      one.parameters.every((each, at) => isEquivalent(each, other.parameters[at] ?? DYN)))
  );
}

/** Returns the direct parts of a node, in the order of their evaluation. */
function childrenOf(node: Expression): readonly Expression[] {
  switch (node.kind) {
    case 'select':
      return [node.operand];
    case 'call':
      return node.target === undefined ? node.args : [node.target, ...node.args];
    case 'list':
      return node.elements;
    case 'map':
      return node.entries.flatMap(({ key, value }) => [key, value]);
    case 'struct':
      return node.fields.map(({ value }) => value);
    case 'comprehension':
      return [node.range, node.start, node.condition, node.step, node.result];
    default:
      return [];
  }
}
