import type { WorldChange, WorldListener } from '../../server/index.ts';
import { WorldRecords } from '../world-snapshots/index.ts';
import type { BinderOptions } from './binder-options.ts';
import { WaitingPods } from './waiting-pods.ts';

/** The state that the binder keeps in addition to the world. */
export class BesideWorld implements WorldListener {
  readonly waiting: WaitingPods;
  /** The records from which new processes load the world; undefined where no snapshots are stored. */
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
