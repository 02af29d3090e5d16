import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { instrument } from './instrument.ts';
import { MutantSwitch } from './switch.ts';
import { mutatedFile } from './targets.ts';

/** `node --import`: the code of this process holds its mutants, and nothing is written anywhere. */
Object.assign(globalThis, { winnowMutants: new MutantSwitch() });

registerHooks({
  load(url, context, nextLoad) {
    const path = url.startsWith('file:') ? fileURLToPath(url) : undefined;
    const file = path === undefined ? undefined : mutatedFile(path);
    if (path === undefined || file === undefined) return nextLoad(url, context);
    const source = instrument(file, readFileSync(path, 'utf8'));
    return { format: 'module-typescript', source, shortCircuit: true };
  },
});
