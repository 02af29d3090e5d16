import { execFile } from 'node:child_process';
import { access, mkdir, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../../../infra/bundle/index.ts';

const run = promisify(execFile);

/** By which LocalStack keeps the streams of tables. It would install this version by itself, from npm. */
const VERSION = '0.5.2';

/** Installs it below `.winnow/`, where it stays for the next time, and puts it where LocalStack looks for it. */
export async function installKinesis(filesystemRoot: string): Promise<void> {
  const installed = join(root, '.winnow', `kinesis-local-${VERSION}`);
  if (await access(installed).catch(() => true)) await install(installed);
  const packages = join(filesystemRoot, 'var/lib/localstack/lib/kinesis-local');
  await mkdir(packages, { recursive: true });
  await symlink(installed, join(packages, VERSION));
}

async function install(folder: string): Promise<void> {
  const partial = `${folder}.${process.pid}`;
  await mkdir(partial, { recursive: true });
  const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', ['install', ...options, '--prefix', partial, `kinesis-local@${VERSION}`]);
  await rename(partial, folder).catch(() => rm(partial, { recursive: true }));
}
