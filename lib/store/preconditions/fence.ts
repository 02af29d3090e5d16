import type { Key, TransactItem } from '../table.ts';

/** A row that carries a lease, and its `epoch` when the lease was taken: whoever takes it next raises that. */
export interface Fence {
  readonly key: Key;
  readonly epoch: number;
}

/** The fence, as part of the transaction that it is for: what an earlier holder has still under way comes to nothing. */
export function fenceItem({ key, epoch }: Fence): TransactItem {
  return { check: key, condition: [{ attribute: 'epoch', is: '=', value: epoch }] };
}
