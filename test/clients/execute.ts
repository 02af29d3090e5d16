import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Missing } from './client.ts';

const ENOUGH = 64 * 1024 * 1024;

export interface ExecuteOptions {
  readonly directory?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * Runs a program of a toolchain and gives what it printed.
 *
 * @throws {Missing} it is not installed.
 * @throws {Error} it failed: what it complained of.
 */
export async function execute(
  program: string,
  args: readonly string[],
  { directory, environment = {} }: ExecuteOptions = {},
): Promise<string> {
  const options = { cwd: directory, env: { ...process.env, ...environment }, maxBuffer: ENOUGH };
  try {
    const { stdout } = await promisify(execFile)(program, args, options);
    return stdout;
  } catch (error) {
    const { code, stderr, stdout, message } = error as Record<string, string | undefined>;
    if (code === 'ENOENT') throw new Missing(`${program} is not installed`, { cause: error });
    throw new Error(`${program} ${args.join(' ')}: ${stderr || stdout || message}`, { cause: error });
  }
}
