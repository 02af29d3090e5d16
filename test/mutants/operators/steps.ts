import type { Node, Statement, VariableDeclarator } from '@babel/types';
import type { Change, Hoisted, Site } from '../mutant.ts';
import { brief, textOf, walk } from '../syntax.ts';
import { waits } from './conditions.ts';

/** Neighbouring statements that wait, each pair of which may be done the other way round. */
export function stepSites(source: string, node: Node): Site[] {
  if (node.type !== 'BlockStatement') return [];
  return runsOf(node.body).flatMap((steps) => {
    const changes = steps.slice(1).flatMap((step, index): Change[] => {
      const before = steps[index];
      if (before === undefined || uses(step, namesOf(before))) return [];
      const order = [...steps.slice(0, index), step, before, ...steps.slice(index + 2)];
      const told = `${brief(textOf(source, before), 50)} ⇄ ${brief(textOf(source, step), 50)}`;
      const text = order.map((one) => assigning(source, one)).join('\n');
      return [{ operator: 'steps swapped', told, text }];
    });
    const [first, last] = [steps[0], steps.at(-1)];
    if (changes.length === 0 || first === undefined || last === undefined) return [];
    const statements = hoisted(source, steps);
    return [{ start: first.start ?? 0, end: last.end ?? 0, changes, statements }];
  });
}

/** Two and more of them in a row. */
function runsOf(statements: readonly Statement[]): Statement[][] {
  const runs: Statement[][] = [[]];
  for (const statement of statements) {
    if (isStep(statement)) {
      runs.at(-1)?.push(statement);
    } else {
      runs.push([]);
    }
  }
  return runs.filter(({ length }) => length > 1);
}

function isStep(statement: Statement): boolean {
  if (!waits(statement)) return false;
  switch (statement.type) {
    case 'ExpressionStatement':
      return true;
    case 'VariableDeclaration':
      return statement.declarations.length === 1;
    case 'IfStatement':
      return !statement.alternate && !endsInside(statement);
    case 'ForOfStatement':
      return !endsInside(statement);
    default:
      return false;
  }
}

function endsInside(statement: Statement): boolean {
  for (const { node } of walk(statement)) {
    if (/ReturnStatement|BreakStatement|ContinueStatement|ThrowStatement|YieldExpression/.test(node.type)) {
      return true;
    }
  }
  return false;
}

/** The names that a statement declares. */
function namesOf(statement: Statement): Set<string> {
  const declared = statement.type === 'VariableDeclaration' ? statement.declarations : [];
  return new Set(declared.flatMap(({ id }) => boundIn(id)));
}

function boundIn(pattern: Node): string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern.name];
    case 'ObjectPattern':
      return pattern.properties.flatMap((one) =>
        boundIn(one.type === 'RestElement' ? one.argument : one.value),
      );
    case 'ArrayPattern':
      return pattern.elements.flatMap((one) => (one === null ? [] : boundIn(one)));
    case 'AssignmentPattern':
      return boundIn(pattern.left);
    case 'RestElement':
      return boundIn(pattern.argument);
    default:
      return [];
  }
}

function uses(statement: Statement, names: ReadonlySet<string>): boolean {
  for (const { node } of walk(statement)) if (node.type === 'Identifier' && names.has(node.name)) return true;
  return false;
}

function assigning(source: string, statement: Statement): string {
  const [declarator] = statement.type === 'VariableDeclaration' ? statement.declarations : [];
  if (declarator === undefined) return textOf(source, statement);
  const value = declarator.init ? textOf(source, declarator.init) : 'undefined';
  return `(${patternOf(source, declarator)} = ${value});`;
}

/** What is assigned to, without its type. */
function patternOf(source: string, { id }: VariableDeclarator): string {
  const type = 'typeAnnotation' in id ? id.typeAnnotation : undefined;
  return source.slice(id.start ?? 0, type?.start ?? id.end ?? 0);
}

function hoisted(source: string, steps: readonly Statement[]): Hoisted {
  const assignments = steps.flatMap((step) => {
    const [declarator] = step.type === 'VariableDeclaration' ? step.declarations : [];
    if (!declarator?.init) return [];
    const [start, value] = [step.start ?? 0, declarator.init.start ?? 0];
    const end = declarator.init.end ?? 0;
    return [
      { start, end: value, text: `(${patternOf(source, declarator)} = ` },
      { start: end, end: step.end ?? end, text: ');' },
    ];
  });
  return { names: steps.flatMap((step) => [...namesOf(step)]), assignments };
}
