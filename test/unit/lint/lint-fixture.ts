import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const BIOME = join(root, 'node_modules/@biomejs/biome/bin/biome');

export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

interface Diagnostic {
  readonly location?: { readonly path?: string };
  readonly category?: string;
  readonly message?: string;
}

/** The messages of the project’s own rules for each file, by path, linted together in an otherwise empty folder. */
export async function lint(files: readonly SourceFile[]): Promise<Map<string, string>> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'winnow-lint-')));
  try {
    for (const file of ['biome.jsonc', '.gitignore', 'test/lint']) {
      await cp(join(root, file), join(folder, file), { recursive: true });
    }
    for (const { path, text } of files) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    return byFile(await runBiome(folder));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function byFile(diagnostics: readonly Diagnostic[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const { location, category = '', message = '' } of diagnostics) {
    const path = location?.path ?? '';
    found.set(path, `${found.get(path) ?? ''}${category}: ${message}\n`);
  }
  return found;
}

function runBiome(folder: string): Promise<readonly Diagnostic[]> {
  const args = [BIOME, 'lint', '--reporter=json', '--max-diagnostics=none', '--diagnostic-level=error', '.'];
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      args,
      { cwd: folder, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        try {
          resolve(JSON.parse(stdout).diagnostics);
        } catch {
          reject(new Error(`biome printed no report: ${stderr}`, { cause: error }));
        }
      },
    );
  });
}
