import { readdirSync, readFileSync } from 'node:fs';

/** A clock tick of `/proc/PID/stat`, in ms: Linux reports 100 of them a second on all machines. */
const TICK = 10;
/** The places of a parent's id and of the times in user and kernel mode, after the name of the program. */
const [PARENT, USER, KERNEL] = [1, 11, 12];

/** What `/proc/PID/stat` says about a process. */
export interface ProcessStat {
  readonly parent: number;
  /** CPU time of all its threads, in ms. */
  readonly cpu: number;
}

/** Reads a line of `/proc/PID/stat`. The name of the program is in parentheses and may contain any character. */
export function parseStat(line: string): ProcessStat {
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const field = (place: number) => Number(fields[place]);
  return { parent: field(PARENT), cpu: (field(USER) + field(KERNEL)) * TICK };
}

/** The process ids below `root`, by the parent of each process. */
export function descendantsOf(root: number, parents: ReadonlyMap<number, number>): readonly number[] {
  const children = [...parents].filter(([, parent]) => parent === root).map(([pid]) => pid);
  return children.flatMap((pid) => [pid, ...descendantsOf(pid, parents)]);
}

/** The ids of the running processes below `root`. */
export function processesBelow(root: number): readonly number[] {
  const running = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const parents = running.flatMap((name) => {
    const stat = readStat(Number(name));
    return stat === undefined ? [] : [[Number(name), stat.parent] as const];
  });
  return descendantsOf(root, new Map(parents));
}

/**
 * The CPU time of processes so far, in ms.
 *
 * @throws {Error} one of them has ended.
 */
export function cpuOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const stat = readStat(pid);
    if (stat === undefined) throw new Error(`the process ${pid} ended while its CPU time was measured`);
    return sum + stat.cpu;
  }, 0);
}

/** Undefined if the process has ended. */
function readStat(pid: number): ProcessStat | undefined {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return undefined;
  }
}
