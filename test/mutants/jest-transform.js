import { stripTypeScriptTypes } from 'node:module';
import { instrument } from './instrument.ts';
import { mutatedFile } from './targets.ts';

/** As `strip-types.js`, with the mutants of the file in it. */
export default {
  process(source, filename) {
    const file = mutatedFile(filename);
    return { code: stripTypeScriptTypes(file === undefined ? source : instrument(file, source)) };
  },
};
