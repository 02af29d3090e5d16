import type { Attribute, Clause, Condition, Update } from '../table.ts';
import { type Item, toItem } from './items.ts';

/** DynamoDB expressions with their placeholders, built from the store's data. */
export interface Placeholders {
  ExpressionAttributeNames: Record<string, string>;
  ExpressionAttributeValues?: Item;
}

/** Collects `#n` and `:v` placeholders while an expression is built. */
class Expression {
  readonly #names = new Map<string, string>();
  readonly #values: Attribute[] = [];

  name(attribute: string): string {
    const placeholder = this.#names.get(attribute) ?? `#n${this.#names.size}`;
    this.#names.set(attribute, placeholder);
    return placeholder;
  }

  value(value: Attribute): string {
    return `:v${this.#values.push(value) - 1}`;
  }

  placeholders(): Placeholders {
    const names = [...this.#names].map(([attribute, placeholder]) => [placeholder, attribute]);
    const values = this.#values.map((value, index) => [`:v${index}`, value]);
    return {
      ExpressionAttributeNames: Object.fromEntries(names),
      ...(values.length > 0 ? { ExpressionAttributeValues: toItem(Object.fromEntries(values)) } : {}),
    };
  }
}

export function conditionParameters(condition: Condition | undefined) {
  if (condition === undefined) return {};
  const expression = new Expression();
  const text = spellCondition(expression, condition);
  return { ConditionExpression: text, ...expression.placeholders() };
}

export function updateParameters({ set = {}, setMissing = {}, add = {}, remove = [], condition }: Update) {
  const expression = new Expression();
  const name = (attribute: string) => expression.name(attribute);
  const sets = Object.entries(set).map(([key, value]) => `${name(key)} = ${expression.value(value)}`);
  const missing = Object.entries(setMissing).map(([key, value]) => {
    return `${name(key)} = if_not_exists(${name(key)}, ${expression.value(value)})`;
  });
  const assigned = [...sets, ...missing];
  const adds = Object.entries(add).map(([key, value]) => `${name(key)} ${expression.value(value)}`);
  const clauses = [
    assigned.length > 0 ? `SET ${assigned.join(', ')}` : '',
    adds.length > 0 ? `ADD ${adds.join(', ')}` : '',
    remove.length > 0 ? `REMOVE ${remove.map(name).join(', ')}` : '',
  ];
  return {
    UpdateExpression: clauses.filter((clause) => clause !== '').join(' '),
    ...(condition === undefined ? {} : { ConditionExpression: spellCondition(expression, condition) }),
    ...expression.placeholders(),
  };
}

export interface KeyRange {
  readonly partitionKey: string;
  readonly sortKey: string;
  readonly partition: string;
  readonly from: string;
  readonly to: string;
}

export function rangeParameters(range: KeyRange) {
  const expression = new Expression();
  const partition = `${expression.name(range.partitionKey)} = ${expression.value(range.partition)}`;
  const sort = `${expression.name(range.sortKey)} BETWEEN ${expression.value(range.from)} AND ${expression.value(range.to)}`;
  return { KeyConditionExpression: `${partition} AND ${sort}`, ...expression.placeholders() };
}

function spellCondition(expression: Expression, condition: Condition): string {
  return condition.map((clause) => spellClause(expression, clause)).join(' AND ');
}

function spellClause(expression: Expression, clause: Clause): string {
  if ('missing' in clause) return `attribute_not_exists(${expression.name(clause.missing)})`;
  if ('any' in clause) return `(${clause.any.map((inner) => spellClause(expression, inner)).join(' OR ')})`;
  return `${expression.name(clause.attribute)} ${clause.is} ${expression.value(clause.value)}`;
}
