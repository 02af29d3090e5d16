import type { Expression } from '../../../lib/cel/ast.ts';
import { formatType } from '../../../lib/cel/check/format-type.ts';
import type { Checked } from '../../../lib/cel/checked.ts';
import { DYN } from '../../../lib/cel/types.ts';
import { Uint } from '../../../lib/cel/values/index.ts';
import { show } from './show.ts';

/**
 * Writes a checked tree as the oracle does: in one line, for each node its id, its type and what it refers to. A node
 * that was not checked is `dyn`, such as the field of `.?`.
 */
export function showTree({ expression, types, references }: Checked): string {
  return node(expression);

  function node(each: Expression): string {
    const type = types.get(each.id);
    const text = `${form(each)}#${each.id}~${formatType(type ?? DYN)}`;
    const reference = references.get(each.id);
    if (reference === undefined) return text;
    if (reference.kind === 'identifier') return `${text}^${reference.name}`;
    return `${text}^${reference.overloads.toSorted().join('|')}`;
  }

  function nodes(all: readonly Expression[]): string {
    return all.map(node).join(', ');
  }

  function form(each: Expression): string {
    switch (each.kind) {
      case 'constant': {
        const { constant } = each;
        if (constant.type === 'null') return 'null';
        return show(constant.type === 'uint' ? new Uint(constant.value) : constant.value);
      }
      case 'identifier':
        return each.name;
      case 'select':
        return `${node(each.operand)}.${each.field}${each.testOnly ? '?' : ''}`;
      case 'call': {
        const text = `${each.function}(${nodes(each.args)})`;
        return each.target === undefined ? text : `${node(each.target)}.${text}`;
      }
      case 'list': {
        const mark = (at: number) => (each.optionalIndices.includes(at) ? '?' : '');
        return `[${each.elements.map((element, at) => mark(at) + node(element)).join(', ')}]`;
      }
      case 'map': {
        const entries = each.entries.map(
          ({ id, key, value, optional }) => `${optional ? '?' : ''}${node(key)}: ${node(value)}#${id}`,
        );
        return `{${entries.join(', ')}}`;
      }
      case 'comprehension': {
        const names = [each.variable, each.variable2 ?? '', each.accumulator].join(', ');
        const parts = [each.range, each.start, each.condition, each.step, each.result];
        return `loop(${names}, ${nodes(parts)})`;
      }
      default:
        throw new Error(`cel-spec's tests without messages have no ${each.kind}`);
    }
  }
}
