import type { CallExpression } from '@babel/types';
import type { Change } from '../mutant.ts';
import { brief, type Place, textOf } from '../syntax.ts';

/** What may be waited for otherwise at a node. */
export function orderingChanges(source: string, { node, parents }: Place): Change[] {
  switch (node.type) {
    case 'AwaitExpression': {
      const argument = textOf(source, node.argument);
      const dropped: Change = {
        operator: 'await dropped',
        told: brief(textOf(source, node)),
        text: argument,
      };
      return [dropped, ...sequenceOfAll(source, { node: node.argument, parents: [node, ...parents] })];
    }
    case 'CallExpression':
      return sequenceOfMap(source, node);
    default:
      return [];
  }
}

/** `await Promise.all(…)` one after the other; stands for the whole await. */
function sequenceOfAll(source: string, { node }: Place): Change[] {
  if (node.type !== 'CallExpression' || textOf(source, node.callee) !== 'Promise.all') return [];
  const [all] = node.arguments;
  const told = brief(textOf(source, node));
  if (all?.type === 'ArrayExpression') {
    const each = all.elements.flatMap((one) => (one === null ? [] : [`await (${textOf(source, one)})`]));
    return [{ operator: 'in sequence', told, text: `[${each.join(', ')}]` }];
  }
  if (all?.type !== 'CallExpression' || all.callee.type !== 'MemberExpression') return [];
  const [map] = all.arguments;
  if (textOf(source, all.callee.property) !== 'map' || map === undefined) return [];
  const [items, one] = [textOf(source, all.callee.object), textOf(source, map)];
  const text = `await (async () => { const all = []; let at = 0; for (const one of ${items}) all.push(await (${one})(one, at++)); return all; })()`;
  return [{ operator: 'in sequence', told, text }];
}

/** `mapBounded` with nothing side by side. */
function sequenceOfMap(source: string, node: CallExpression): Change[] {
  if (textOf(source, node.callee) !== 'mapBounded') return [];
  const [items, , map] = node.arguments;
  if (items === undefined || map === undefined) return [];
  const text = `mapBounded(${textOf(source, items)}, 1, ${textOf(source, map)})`;
  return [{ operator: 'in sequence', told: brief(textOf(source, node)), text }];
}
