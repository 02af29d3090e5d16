import type { Key, TransactItem } from '../table.ts';

/** A row with a lease, and its `epoch` at the time the lease was taken. The next holder raises the epoch. */
export interface Fence {
  readonly key: Key;
  readonly epoch: number;
}

/** The fence, as an item of the transaction that it protects: transactions of an earlier holder fail. */
export function fenceItem({ key, epoch }: Fence): TransactItem {
  return { check: key, condition: [{ attribute: 'epoch', is: '=', value: epoch }] };
}
