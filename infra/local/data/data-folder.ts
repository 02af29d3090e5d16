import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { takeLock } from '../../file-lock/index.ts';

/** A folder for the table that no other server uses. */
export interface DataFolder {
  readonly path: string;
  /** Says to whoever is refused where this server listens. */
  announce(url: string): void;
  /** Lets go of it. So does the end of the process, however it ends. */
  release(): void;
}

const LOCK = 'server.lock';
/** Who holds the lock, for people: it is never asked whether somebody does. */
const HOLDER = 'server.json';

interface Holder {
  readonly pid: number;
  readonly since: string;
  readonly url?: string;
}

/** What keeps a folder from being used, in words. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'it is on a file system that cannot be written to',
  ENOTDIR: 'a file is in its place, or in its path',
  EEXIST: 'a file is in its place, or in its path',
  ENOENT: 'it cannot be made there',
  ENOSPC: 'the disk is full',
};

/**
 * Makes the folder where it is missing, and takes its lock.
 *
 * @throws {Error} who holds it, or why it cannot be written to.
 */
export function openDataFolder(given: string): DataFolder {
  const path = resolve(given);
  try {
    make(path);
    rmdirSync(mkdtempSync(join(path, '.winnow-')));
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new Error(`cannot keep data in ${path}: ${REASONS[code] ?? message}`, { cause: error });
  }
  const lock = takeLock(join(path, LOCK));
  if (lock === undefined) throw new Error(heldBy(path));
  const since = new Date().toISOString();
  const write = (holder: Holder) => writeFileSync(join(path, HOLDER), JSON.stringify(holder));
  write({ pid: process.pid, since });
  return {
    path,
    announce: (url) => write({ pid: process.pid, since, url }),
    release: lock.release,
  };
}

/**
 * For this user alone. Node's own way to make a whole path asks for ever where a parent refuses with ENOENT, as `/proc`
 * does.
 */
function make(path: string): void {
  const parent = dirname(path);
  if (!existsSync(parent) && parent !== path) make(parent);
  if (!existsSync(path)) mkdirSync(path, { mode: 0o700 });
}

function heldBy(path: string): string {
  const remedy = 'Stop it, or name another folder.';
  try {
    const {
      pid,
      since,
      url = 'a port of its own',
    } = JSON.parse(readFileSync(join(path, HOLDER), 'utf8')) as Holder;
    return `${path} is in use by the winnow at ${url} (process ${pid}, since ${since}). ${remedy}`;
  } catch {
    return `${path} is in use by another winnow. ${remedy}`;
  }
}
