import type { PodClass, PodGroup } from './pod-groups.ts';

/** The answer of a ReachabilityReview. */
export interface Reachability {
  readonly decision: 'Allowed' | 'Denied' | 'Unspecified';
  readonly egress: Direction;
  readonly ingress: Direction;
}

export interface Direction {
  readonly decision: string;
  readonly reason: string;
  readonly message: string;
  /** The policy whose rule allows the traffic. */
  readonly policy?: PolicyName;
  /** All policies that select this end. */
  readonly selectedBy?: readonly PolicyName[];
}

export interface PolicyName {
  readonly namespace: string;
  readonly name: string;
}

/** A question: may a pod of one class send to a pod of another? */
export interface Pair {
  readonly key: string;
  readonly from: PodClass;
  readonly to: PodClass;
}

/** An answer or the reason why there is none, by the key of the pair. */
export type Answers = ReadonlyMap<string, Reachability | Error>;

/** The groups at each side of the matrix, at most. */
export const MOST_GROUPS = 12;
/** The questions of a matrix, at most. */
const MOST_QUESTIONS = 600;
/** The questions of one cell, at most. */
const MOST_PAIRS = 9;

/** The number of questions that a cell may ask in a matrix of this many groups. */
export function pairsPerCell(groups: number): number {
  return Math.max(1, Math.min(MOST_PAIRS, Math.floor(MOST_QUESTIONS / Math.max(1, groups * groups))));
}

/** The pairs of classes that decide a cell; those of the most pods come first. */
export function pairsOf(from: PodGroup, to: PodGroup): Pair[] {
  const pairs = from.classes.flatMap((one) =>
    to.classes.map((other) => ({ key: `${one.key} ${other.key}`, from: one, to: other })),
  );
  return pairs.sort((one, other) => other.from.count * other.to.count - one.from.count * one.to.count);
}

export type Verdict = 'yes' | 'no' | 'partly' | 'unclear' | 'part' | 'failed' | 'asking';

/** What a cell shows. */
export interface Cell {
  readonly verdict: Verdict;
  /** The policy that decides, or the number of them. Empty if none does. */
  readonly policy: string;
}

/** Sums up the answers of a cell's pairs. `all`: the number of its pairs with those about which the page does not ask. */
export function cellOf(pairs: readonly Pair[], answers: Answers, all = pairs.length): Cell {
  const found = pairs.flatMap(({ key }) => answers.get(key) ?? []);
  const known = found.filter((one) => !(one instanceof Error)) as Reachability[];
  if (found.length < pairs.length) return { verdict: 'asking', policy: '' };
  if (known.length === 0) return { verdict: 'failed', policy: '' };
  const decisions = new Set(known.map(({ decision }) => decision));
  const policies = new Set(known.flatMap(decidingPolicies).map(({ name }) => name));
  const [first = ''] = policies;
  // A pair without an answer may differ from the others.
  const verdict = known.length < all ? 'part' : verdictOf(decisions);
  return { verdict, policy: policies.size > 1 ? `${policies.size} policies` : first };
}

function verdictOf(decisions: ReadonlySet<string>): Verdict {
  if (decisions.has('Allowed') && decisions.has('Denied')) return 'partly';
  if (decisions.has('Unspecified')) return 'unclear';
  return decisions.has('Allowed') ? 'yes' : 'no';
}

/** The policies that decide an answer: those that isolate the pods, or those whose rules allow the traffic. */
export function decidingPolicies({ decision, egress, ingress }: Reachability): readonly PolicyName[] {
  const sides = [egress, ingress];
  if (decision === 'Denied') {
    return sides.filter((side) => side.decision === 'Denied').flatMap(({ selectedBy = [] }) => selectedBy);
  }
  return sides.flatMap(({ policy }) => policy ?? []);
}

/** A pod that stands for a class. Within a class, the first pod reaches the second one. */
export function endsOf({ from, to }: Pair): { readonly from: string; readonly to: string } {
  const [first = '', second = first] = to.names;
  return { from: from.names[0] ?? '', to: from.key === to.key ? second : first };
}
