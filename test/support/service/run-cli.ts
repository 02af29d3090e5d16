import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

export const LAUNCHER = join(import.meta.dirname, '../../../bin/winnow.js');

export interface Run {
  readonly code: number;
  readonly out: string;
  readonly errors: string;
}

/** Runs a command to its end, without colours. */
export async function run(
  command: string,
  parameters: readonly string[],
  options: Pick<SpawnOptions, 'cwd' | 'env'> = {},
): Promise<Run> {
  const child = spawn(command, parameters, {
    ...options,
    env: { ...process.env, NO_COLOR: '1', ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code: Number(code), out, errors };
}

/** `winnow …`, under the Node that runs this. */
export const winnow = (...parameters: string[]): Promise<Run> =>
  run(process.execPath, [LAUNCHER, ...parameters]);

/** The same, with more variables. */
export const winnowWith = (env: NodeJS.ProcessEnv, ...parameters: string[]): Promise<Run> =>
  run(process.execPath, [LAUNCHER, ...parameters], { env });

/** The same, under a Node that says it is of another version, and loads no TypeScript. */
export const winnowUnder = (version: string, ...parameters: string[]): Promise<Run> =>
  run(process.execPath, [...launcherUnder(version), ...parameters]);

/** What such a Node is given to run the launcher. */
export function launcherUnder(version: string): string[] {
  const pretend = `
    import { registerHooks } from 'node:module';
    Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });
    const load = (url, context, next) => {
      if (url.endsWith('.ts')) throw new Error('Unknown file extension ".ts"');
      return next(url, context);
    };
    registerHooks({ load });`;
  const preload = `data:text/javascript,${encodeURIComponent(pretend)}`;
  return ['--import', preload, LAUNCHER];
}
