import { join, relative } from 'node:path';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { root, writeWhole } from './files.ts';

/** The SDK has CommonJS parts that call `require`, which an ES module does not have. */
const BANNER = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/** Bytes of the code by the package or folder that they come from, most first. */
export type Parts = Readonly<Record<string, number>>;

/** Bundles one entry point for Node 24 into an ES module with its source map beside it. */
export async function bundle(entryPoint: string, outfile: string): Promise<Parts> {
  const { outputFiles, metafile } = await build({ ...OPTIONS, entryPoints: [entryPoint], outfile });
  for (const { path, contents } of outputFiles) await writeWhole(path, contents);
  return partsOf(metafile.outputs[relative(root, outfile)]);
}

const OPTIONS = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  mainFields: ['module', 'main'],
  alias: { '@aws-sdk/credential-provider-node': join(root, 'infra/bundle/default-provider.ts') },
  // For operations that stream events, which DynamoDB and SQS have none of; it keeps much else from being left out.
  external: ['@smithy/core/event-streams'],
  minify: true,
  sourcemap: true,
  sourcesContent: false,
  legalComments: 'none',
  banner: { js: BANNER },
  logLevel: 'error',
  metafile: true,
  write: false,
} as const satisfies BuildOptions;

function partsOf(output: Metafile['outputs'][string] | undefined): Parts {
  const sums = new Map<string, number>();
  for (const [file, { bytesInOutput }] of Object.entries(output?.inputs ?? {})) {
    const part = partOf(file);
    sums.set(part, (sums.get(part) ?? 0) + bytesInOutput);
  }
  return Object.fromEntries([...sums].sort(([, left], [, right]) => right - left));
}

/** `node_modules/@smithy/core/dist-es/…` is of `@smithy/core`, `lib/store/dynamodb/…` of `lib/store`. */
function partOf(file: string): string {
  const [first = '', second = ''] = (file.split('node_modules/').at(-1) ?? '').split('/');
  return file.includes('node_modules/') && !first.startsWith('@') ? first : `${first}/${second}`;
}
