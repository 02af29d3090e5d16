import { transformSync } from 'esbuild';

/** Takes the types out of a test's TypeScript, as Node does with the rest; the type check is `npm run typecheck`. */
export default {
  process(source, filename) {
    return transformSync(source, {
      loader: 'ts',
      format: 'esm',
      target: 'node24',
      sourcefile: filename,
      sourcemap: 'inline',
      supported: { 'import-attributes': true },
    });
  },
};
