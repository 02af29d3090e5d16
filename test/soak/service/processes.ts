import { readdir, readFile } from 'node:fs/promises';

/** What one process holds. */
export interface Held {
  /** MiB of memory that are resident. */
  readonly memory: number;
  /** Open files and sockets. */
  readonly descriptors: number;
}

const DATABASE = 'dynoxide';

/** The embedded database that a process started, directly or through a shell; undefined where none runs. */
export async function databaseUnder(ancestor: number | undefined): Promise<number | undefined> {
  if (ancestor === undefined) return undefined;
  const parents = new Map<number, { readonly parent: number; readonly name: string }>();
  for (const entry of await readdir('/proc')) {
    const pid = Number(entry);
    if (!Number.isInteger(pid)) continue;
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    const [, name = '', state = '', parent = ''] = /^\d+ \((.*)\) (\S) (\d+)/s.exec(stat) ?? [];
    if (state !== 'Z') parents.set(pid, { parent: Number(parent), name });
  }
  return [...parents.keys()].find(
    (pid) => parents.get(pid)?.name.startsWith(DATABASE) === true && isBelow(pid, ancestor, parents),
  );
}

function isBelow(
  pid: number,
  ancestor: number,
  parents: ReadonlyMap<number, { readonly parent: number }>,
): boolean {
  for (let at = parents.get(pid)?.parent; at !== undefined && at > 1; at = parents.get(at)?.parent) {
    if (at === ancestor) return true;
  }
  return false;
}

/** Zeros where there is no such process. */
export async function heldBy(pid: number | undefined): Promise<Held> {
  if (pid === undefined) return { memory: 0, descriptors: 0 };
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0);
  const descriptors = await readdir(`/proc/${pid}/fd`).catch(() => []);
  return { memory: kilobytes / 1024, descriptors: descriptors.length };
}
