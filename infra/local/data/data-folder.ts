import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { takeLock } from '../../file-lock/index.ts';

/** The folder of a table, locked for this server. */
export interface DataFolder {
  readonly path: string;
  /** Stores the URL of this server for the error messages of other servers. */
  announce(url: string): void;
  /** Releases the lock. The end of the process also releases it. */
  release(): void;
}

const LOCK = 'server.lock';
/** The file that names the holder, for messages only. It does not decide whether the folder is locked. */
const HOLDER = 'server.json';

interface Holder {
  readonly pid: number;
  readonly since: string;
  readonly url?: string;
}

/** Reasons why a folder cannot be used, by error code. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'it is on a read-only file system',
  ENOTDIR: 'this path, or a part of it, is a file',
  EEXIST: 'this path, or a part of it, is a file',
  ENOENT: 'it cannot be created there',
  ENOSPC: 'the disk is full',
};

/**
 * Creates the folder if necessary, and locks it.
 *
 * @throws {Error} another server holds the lock, or the folder cannot be written.
 */
export function openDataFolder(given: string): DataFolder {
  const path = resolve(given);
  try {
    make(path);
    rmdirSync(mkdtempSync(join(path, '.winnow-')));
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new Error(`cannot store data in ${path}: ${REASONS[code] ?? message}`, { cause: error });
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
 * Creates a folder that only this user can access. Node's own recursive mkdir never ends if a parent refuses with
 * ENOENT, as `/proc` does.
 */
function make(path: string): void {
  const parent = dirname(path);
  if (!existsSync(parent) && parent !== path) make(parent);
  if (!existsSync(path)) mkdirSync(path, { mode: 0o700 });
}

function heldBy(path: string): string {
  const remedy = 'Stop it, or use another folder.';
  try {
    const {
      pid,
      since,
      url = 'an unknown port',
    } = JSON.parse(readFileSync(join(path, HOLDER), 'utf8')) as Holder;
    return `${path} is in use by another winnow at ${url} (process ${pid}, since ${since}). ${remedy}`;
  } catch {
    return `${path} is in use by another winnow. ${remedy}`;
  }
}
