/** A lock on a file, for one process at a time. */
export { type FileLock, takeLock } from './take-lock.ts';
