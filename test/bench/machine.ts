import { execFile } from 'node:child_process';
import { cpus, totalmem } from 'node:os';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** What the figures were measured on. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memory: string;
  readonly node: string;
  readonly go: string;
  readonly java: string;
}

export async function describeMachine(): Promise<Machine> {
  const [first] = cpus();
  return {
    cpu: first?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    node: process.version,
    go: await version('go', ['env', 'GOVERSION']),
    java: await version('java', ['-version']),
  };
}

/** The first line the program prints, wherever it prints it. */
async function version(program: string, given: readonly string[]): Promise<string> {
  return execute(program, given).then(
    ({ stdout, stderr }) => `${stdout}${stderr}`.split('\n')[0] ?? '',
    () => 'missing',
  );
}
