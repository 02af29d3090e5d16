import { execFile } from 'node:child_process';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const BLOCK = Buffer.alloc(64 * 1024);
const BALLAST = 'ballast';

/** A file system of its own, in memory, that can be filled to the last byte. Mounting it takes root, on Linux. */
export class SmallDisk {
  readonly path: string;

  /** Undefined where this user may not mount one: then the folder is on the disk that it is on. */
  static async mount(path: string, megabytes: number): Promise<SmallDisk | undefined> {
    await mkdir(path, { recursive: true });
    try {
      await execute('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'winnow-soak', path]);
      return new SmallDisk(path);
    } catch {
      return undefined;
    }
  }

  private constructor(path: string) {
    this.path = path;
  }

  /** Writes until there is no room for one byte more. */
  async fill(): Promise<void> {
    const file = await open(join(this.path, BALLAST), 'a');
    try {
      for (let size = BLOCK.length; size >= 1; ) {
        const isWritten = await file.write(BLOCK, 0, size).then(
          () => true,
          () => false,
        );
        if (!isWritten) size = Math.floor(size / 2);
      }
    } finally {
      await file.close();
    }
  }

  async free(): Promise<void> {
    await rm(join(this.path, BALLAST), { force: true });
  }

  async unmount(): Promise<void> {
    await execute('umount', ['-l', this.path]);
  }
}
