import type { ObjectExpression, ObjectProperty } from '@babel/types';
import type { Change } from '../mutant.ts';
import { brief, type Place, textOf } from '../syntax.ts';

/** Keys that tell a clause of a condition on a row (`Clause` of lib/store/table.ts) from other data. */
const CLAUSE_KEYS = new Set(['missing', 'attribute', 'any']);

/** What a condition that the table decides on may lack, or compare otherwise. */
export function clauseChanges(source: string, { node }: Place): Change[] {
  if (node.type === 'ArrayExpression') {
    const elements = node.elements.flatMap((element) => (element === null ? [] : [element]));
    return elements.flatMap((element): Change[] => {
      if (element.type !== 'ObjectExpression' || !isClause(element)) return [];
      const others = elements.filter((other) => other !== element).map((other) => textOf(source, other));
      const told = brief(textOf(source, element));
      return [{ operator: 'clause dropped', told, text: `[${others.join(', ')}]` }];
    });
  }
  if (node.type !== 'ObjectExpression') return [];
  return node.properties.flatMap((property): Change[] => {
    if (property.type !== 'ObjectProperty') return [];
    const without = (text: string) => {
      const [from, to] = [(property.start ?? 0) - (node.start ?? 0), (property.end ?? 0) - (node.start ?? 0)];
      const whole = textOf(source, node);
      return whole.slice(0, from) + text + whole.slice(to);
    };
    if (isNamed(property, 'condition')) {
      const told = brief(textOf(source, property));
      return [{ operator: 'condition dropped', told, text: without('condition: undefined') }];
    }
    const sign = isNamed(property, 'is') && property.value.type === 'StringLiteral' && property.value.value;
    if (sign !== '<' && sign !== '=') return [];
    const other = sign === '<' ? '=' : '<';
    const told = `${brief(textOf(source, node))} → ${other}`;
    return [{ operator: 'comparison swapped', told, text: without(`is: '${other}'`) }];
  });
}

function isClause({ properties }: ObjectExpression): boolean {
  return properties.some(
    (property) =>
      property.type === 'ObjectProperty' &&
      property.key.type === 'Identifier' &&
      CLAUSE_KEYS.has(property.key.name),
  );
}

function isNamed({ key }: ObjectProperty, name: string): boolean {
  return key.type === 'Identifier' && key.name === name;
}
