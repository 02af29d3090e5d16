import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** A folder for the table that no other server uses. */
export interface DataFolder {
  readonly path: string;
  /** Says to whoever is refused where this server listens. */
  announce(url: string): void;
  /** Lets go of it. So does the end of the process, however it ends. */
  release(): void;
}

/** Its lock is the operating system's, by way of SQLite; nothing is stored in it. */
const LOCK = 'server.lock';
/** Who holds the lock, for people: it is never asked whether somebody does. */
const HOLDER = 'server.json';
const SQLITE_BUSY = 5;

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
  const lock = takeLock(path);
  const since = new Date().toISOString();
  const write = (holder: Holder) => writeFileSync(join(path, HOLDER), JSON.stringify(holder));
  write({ pid: process.pid, since });
  return {
    path,
    announce: (url) => write({ pid: process.pid, since, url }),
    release: () => lock.close(),
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

function takeLock(path: string): DatabaseSync {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(join(path, LOCK), { timeout: 0 });
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock?.close();
    const { errcode, message } = error as Error & { errcode?: number };
    const why = errcode === SQLITE_BUSY ? heldBy(path) : `cannot lock ${join(path, LOCK)}: ${message}`;
    throw new Error(why, { cause: error });
  }
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
