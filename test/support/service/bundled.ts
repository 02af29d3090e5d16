import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundle } from '../../../infra/bundle/bundle.ts';
import { root } from '../../../infra/bundle/files.ts';

/**
 * Bundles a program (TypeScript; `/` begins at the repository) as the functions are, and runs it with no more
 * environment than given. Resolves to what it prints; rejects when it fails.
 */
export async function runBundled(code: string, environment: Record<string, string> = {}): Promise<string> {
  await mkdir(join(root, 'dist'), { recursive: true });
  const directory = await mkdtemp(join(root, 'dist', 'bundled-'));
  try {
    const [source, outfile] = [join(directory, 'program.ts'), join(directory, 'index.mjs')];
    await writeFile(source, code.replaceAll("from '/", "from '../../"));
    await bundle(source, outfile);
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [outfile], { env: environment });
    return stdout + stderr;
  } finally {
    await rm(directory, { recursive: true });
  }
}
