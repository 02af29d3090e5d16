import type { History, Listing, Operation, SubscriptionRecord, WatchRecord } from './history.ts';

/** Collects what a run does and sees. */
export class Recorder {
  readonly operations: Operation[] = [];
  readonly listings: Listing[] = [];
  readonly watches: WatchRecord[] = [];
  readonly subscriptions: SubscriptionRecord[] = [];

  history(of: Omit<History, keyof Recorder>): History {
    return { ...of, ...this };
  }
}
