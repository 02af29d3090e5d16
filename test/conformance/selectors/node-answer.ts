import { fromNodeSelector, readNodeSelector, SelectorError } from '../../../lib/selectors/index.ts';
import type { NodeCase } from './node-cases.ts';
import { describeErrors } from './our-answer.ts';

/** An implementation's answer about a node selector. */
export interface NodeAnswer {
  /** The message of the refusal, or empty. */
  readonly error: string;
  /** Type and text of each error in it, sorted. */
  readonly fieldErrors: readonly string[] | null;
  /** Whether each node matches. Terms that cannot be parsed match nothing. */
  readonly matches: readonly boolean[];
}

const PATH = 'spec.required';

export function answerOfNodes({ node, nodes }: NodeCase): NodeAnswer {
  const refusal = refusalOf(() => fromNodeSelector(node, PATH));
  const { selector } = readNodeSelector(node, PATH);
  return {
    error: refusal?.message ?? '',
    fieldErrors: describeErrors(refusal?.errors ?? []),
    matches: nodes.map((one) => selector.matches(one)),
  };
}

function refusalOf(read: () => unknown): SelectorError | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    if (error instanceof SelectorError) return error;
    throw error;
  }
}
