import { type Clock, systemClock } from '../../lib/platform/index.ts';

/** The system's clock, on which everything takes a fraction of its time: for real waits that would be long. */
export function createFastClock(speed: number): Clock {
  const began = systemClock.now();
  return {
    now: () => began + (systemClock.now() - began) * speed,
    sleep: (milliseconds, signal) => systemClock.sleep(milliseconds / speed, signal),
    deadline: (milliseconds) => systemClock.deadline(Math.ceil(milliseconds / speed)),
  };
}
