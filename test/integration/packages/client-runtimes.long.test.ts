import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type InstalledPackage,
  installPackage,
  type Program,
} from '../../support/service/installed-package.ts';
import { run } from '../../support/service/run-cli.ts';
import { type Service, startService } from '../../support/service/service.ts';
import { OBJECTS, OBJECTS_PRINTS } from './objects-program.ts';

/** Other runtimes than Node, from npm (100 MB each), and how each runs a program. */
const RUNTIMES = [
  { name: 'Deno', version: '2.9.6', bin: 'deno', command: ['run', '--allow-all', '--quiet'] },
  { name: 'Bun', version: '1.4.5', bin: 'bun', command: ['run'] },
] as const;

const installed: InstalledPackage = await installPackage('lib/client');
/** The runtimes that npm could not install. */
const missing = new Set<string>();
for (const { name, version, bin } of RUNTIMES) {
  await installed.install(`${bin}@${version}`).catch(() => missing.add(name));
}

let service: Service;
let program: Program | undefined;

beforeAll(async () => {
  [program] = await installed.compile([{ title: 'objects', code: OBJECTS, prints: OBJECTS_PRINTS }]);
  service = await startService();
  process.env.WINNOW_URL = service.winnow.url;
});

afterAll(async () => {
  delete process.env.WINNOW_URL;
  await service?.stop();
  await installed.remove();
});

describe('@winnow-dev/client/objects in other runtimes than Node', () => {
  for (const { name, version, bin, command } of RUNTIMES) {
    const isMissing = missing.has(name);
    const title = isMissing ? `: npm cannot install ${name} ${version} on this machine` : '';
    (isMissing ? it.skip : it)(`the typed client works under ${name} ${version}${title}`, async () => {
      const runtime = join(installed.project, 'node_modules/.bin', bin);
      expect((await run(runtime, ['--version'])).out).toContain(version);
      const { code, out, errors } = await run(runtime, [...command, program?.file ?? '']);
      expect({ code, errors, out: out.trimEnd().split('\n') }).toEqual({
        code: 0,
        errors: '',
        out: OBJECTS_PRINTS,
      });
    });
  }
});
