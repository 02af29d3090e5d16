import { transformSync } from 'esbuild';
import { instrument } from './instrument.ts';
import { mutatedFile } from './targets.ts';

/** As `esbuild-transform.js`, with the mutants of the file in it. */
export default {
  process(source, filename) {
    const file = mutatedFile(filename);
    const text = file === undefined ? source : instrument(file, source);
    return transformSync(text, { loader: 'ts', format: 'esm', target: 'node24', sourcefile: filename });
  },
};
