import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** How long a process may take to end by itself. */
const PATIENCE = 5_000;

/** Ends a process that leads a group, and the whole group with it. */
export async function endGroup(child: ChildProcess): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit');
    signal(pid, 'SIGTERM');
    const late = setTimeout(() => signal(pid, 'SIGKILL'), PATIENCE);
    await ended;
    clearTimeout(late);
  }
  signal(pid, 'SIGKILL');
}

/** To the group; whether anybody is left in it does not matter. */
function signal(group: number, name: NodeJS.Signals): void {
  try {
    process.kill(-group, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
