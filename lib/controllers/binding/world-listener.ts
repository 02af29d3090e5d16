import type { WorldChange, WorldListener } from '../../server/index.ts';
import { WorldRecords } from '../world-snapshots/index.ts';
import type { BinderOptions } from './binder-options.ts';
import { WaitingPods } from './waiting-pods.ts';

/** What the binder keeps in addition to the world. */
export class BesideWorld implements WorldListener {
  readonly waiting: WaitingPods;
  /** What others start from; only where that is kept. */
  readonly records: WorldRecords | undefined;

  constructor(options: Pick<BinderOptions, 'clock' | 'schedulerName' | 'snapshots'>) {
    this.waiting = new WaitingPods(options);
    this.records = options.snapshots && new WorldRecords();
  }

  tell(change: WorldChange): void {
    this.waiting.tell(change);
    this.records?.tell(change);
  }
}
