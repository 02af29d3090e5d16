import type { Requirement } from '../requirement.ts';
import type { Atoms, Term } from './atoms.ts';
import type { Interest } from './interest.ts';
import { MORE, NEGATED } from './program.ts';

/** The most alternatives in a program; a longer list becomes a condition of its own. */
const MOST_ALTERNATIVES = 8;

/**
 * Compiles an interest to a program, which is equal for all interests with the same clauses. Returns undefined where
 * it matches nothing. Adds a reference to each word's atom, which `atoms.releaseAll` drops.
 */
export function acquireProgram(atoms: Atoms, interest: Interest): number[] | undefined {
  const { requirements, isEmpty } = interest.selector;
  const { namespace, namespaces = namespace === undefined ? undefined : [namespace] } = interest;
  if ((requirements.length === 0 && !isEmpty) || namespaces?.length === 0) return undefined;
  const clauses = requirements.flatMap((requirement) => clausesOf(atoms, requirement));
  for (const { field, operator, value } of interest.fields?.requirements ?? []) {
    const pair = atoms.pair(atoms.field(field), value);
    clauses.push([(pair << 2) | (operator === '=' ? 0 : NEGATED)]);
  }
  if (namespaces !== undefined) clauses.push(oneOf(atoms, atoms.namespaces, namespaces));
  const program = inOrder(clauses).flat();
  for (const word of program) atoms.refer(word >> 2);
  return program;
}

function clausesOf(atoms: Atoms, { key, operator, values }: Requirement): number[][] {
  const term = atoms.label(key);
  switch (operator) {
    case '=':
    case '==':
    case 'in':
      return [oneOf(atoms, term, values)];
    case '!=':
    case 'notin':
      return values.map((value) => [(atoms.pair(term, value) << 2) | NEGATED]);
    case 'exists':
      return [[term.exists << 2]];
    case '!':
      return [[(term.exists << 2) | NEGATED]];
    case 'gt':
    case 'lt':
      return [[atoms.comparison(term, operator === 'gt' ? 1 : -1, values[0] ?? '') << 2]];
    default:
      throw operator satisfies never;
  }
}

function oneOf(atoms: Atoms, term: Term, values: readonly string[]): number[] {
  if (values.length > MOST_ALTERNATIVES) return [atoms.oneOf(term, values) << 2];
  return alternatives(values.map((value) => atoms.pair(term, value)));
}

function alternatives(pairs: readonly number[]): number[] {
  const sorted = pairs.toSorted((left, right) => left - right);
  return sorted.map((pair, at) => (pair << 2) | (at + 1 < sorted.length ? MORE : 0));
}

/** The distinct clauses, sorted. */
function inOrder(clauses: readonly number[][]): number[][] {
  const sorted = clauses.toSorted(compare);
  return sorted.filter((clause, at) => at === 0 || compare(clause, sorted[at - 1] ?? []) !== 0);
}

function compare(left: readonly number[], right: readonly number[]): number {
  for (let at = 0; at < left.length && at < right.length; at++) {
    const difference = (left[at] as number) - (right[at] as number);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
