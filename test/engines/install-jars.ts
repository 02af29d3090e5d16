import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../infra/bundle/index.ts';

const run = (program: string, args: readonly string[]) =>
  promisify(execFile)(program, args, { env: { ...process.env } });

/** What DynamoDB Local is compiled for. */
const OLDEST_JAVA = 17;

/**
 * Has Maven bring the jars that a `pom.xml` names into a folder below `.winnow/`, where they stay for the next
 * time. Gives the folder. Rejects, naming what is missing, where there is no Java or no Maven.
 */
export async function installJars(name: string, pom: string): Promise<string> {
  await requireJava(name);
  const digest = createHash('sha256').update(await readFile(pom));
  const folder = join(root, '.winnow', `${slug(name)}-${digest.digest('hex').slice(0, 12)}`);
  if (await exists(folder)) return folder;
  // Whole or not at all, also where two processes want it at once.
  const partial = `${folder}.${process.pid}`;
  const goal = ['dependency:copy-dependencies', `-DoutputDirectory=${partial}`, '-DincludeScope=runtime'];
  await run('mvn', ['-q', '-B', '-f', pom, ...goal]).catch((error: unknown) => {
    throw new Error(`${name} needs Maven (mvn), which brings it from Maven Central: ${reason(error)}`);
  });
  await rename(partial, folder).catch(() => rm(partial, { recursive: true }));
  return folder;
}

const slug = (name: string) => name.toLowerCase().replaceAll(' ', '-');

async function requireJava(name: string): Promise<void> {
  const needed = `${name} needs Java ${OLDEST_JAVA} or later (java) on the PATH`;
  const { stderr } = await run('java', ['-version']).catch((error: unknown) => {
    throw new Error(`${needed}: ${reason(error)}`);
  });
  // `openjdk version "17.0.15" 2025-04-15`
  const [, version] = /version "(\d+)/.exec(stderr) ?? [];
  if (Number(version) < OLDEST_JAVA) throw new Error(`${needed}, and it is ${version}`);
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function reason(error: unknown): string {
  const { code, path, stdout, message } = error as { [key: string]: string | undefined };
  if (code === 'ENOENT') return `${path} is not installed`;
  return stdout?.trim().split('\n')[0] || String(message);
}
