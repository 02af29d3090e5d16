import { glob } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** The paths of the TypeScript files, also of those with JSX, in folders, from the project's root. */
export async function filesIn(...folders: readonly string[]): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const folder of folders) {
    const exclude = ['**/node_modules', '**/dist'];
    for await (const path of glob(`${folder}/**/*.{ts,tsx}`, { cwd: ROOT, exclude })) paths.push(path);
  }
  return paths;
}
