import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../../../infra/bundle/index.ts';

/** Compiles modules with `tsc --strict`, and returns what the compiler says of them. */
export async function compile(modules: Readonly<Record<string, string>>): Promise<string> {
  const parent = join(root, 'dist');
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, 'types-'));
  try {
    for (const [name, text] of Object.entries(modules)) await writeFile(join(folder, `${name}.ts`), text);
    const options = {
      strict: true,
      noEmit: true,
      exactOptionalPropertyTypes: true,
      noUnusedLocals: true,
      module: 'nodenext',
      target: 'es2023',
      lib: ['es2023'],
      types: ['node'],
      allowImportingTsExtensions: true,
      paths: { '@winnow-dev/client/objects': [join(root, 'lib/client/objects/index.ts')] },
    };
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: options, include: ['.'] }),
    );
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    return await promisify(execFile)(process.execPath, [compiler, '--project', folder], { cwd: root }).then(
      () => '',
      ({ stdout }) => stdout,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
