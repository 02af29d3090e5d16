import { copyFile, glob, readdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { root } from '../../../infra/bundle/index.ts';
import type { Template } from '../../../infra/local/template.ts';
import { functionNames } from '../../../lib/platform/function-names.ts';
import { type InstalledPackage, installPackage } from '../../support/service/installed-package.ts';
import { type Run, run } from '../../support/service/run-cli.ts';

const MIB = 1024 * 1024;
const CHOSEN = {
  stackName: 'Theirs',
  principal: 'arn:aws:iam::111122223333:role/Admin',
  labelSelector: 'site=north',
};

let installed: InstalledPackage;
let synthesis: Run;

/** A user's app outside this repository, which `npm run test:deploy` deploys. */
beforeAll(async () => {
  installed = await installPackage('infra/cdk', ['aws-cdk-lib', 'constructs']);
  await copyFile(join(root, 'test/deploy/app/app.mjs'), join(installed.project, 'app.mjs'));
  const env = { CDK_CONTEXT_JSON: JSON.stringify(CHOSEN), CDK_OUTDIR: join(installed.project, 'out') };
  synthesis = await run(process.execPath, [join(installed.project, 'app.mjs')], {
    env: { ...process.env, ...env },
  });
});

afterAll(() => installed?.remove());

describe("@winnow-dev/cdk, installed into a user's app", () => {
  it('the package holds the code of every function, and is not large', () => {
    for (const name of functionNames) expect(installed.files).toContain(`dist/functions/${name}/index.mjs`);
    expect(installed.files.filter((file) => /\.(map|ts)$/.test(file) && !file.endsWith('.d.ts'))).toEqual([]);
    expect(installed.unpackedBytes).toBeLessThan(functionNames.length * MIB);
  });

  it('the package has the licence of the repository', async () => {
    const licence = join(installed.project, 'node_modules/@winnow-dev/cdk/LICENSE');
    expect(await readFile(licence, 'utf8')).toBe(await readFile(join(root, 'LICENSE'), 'utf8'));
  });

  it('the stack of the example device-fleet has the kind, its Subscription and the consumer', async () => {
    const client = await installPackage('lib/client', ['zod', '@aws-sdk']);
    try {
      const modules = join(client.project, 'node_modules');
      for (const name of ['@winnow-dev/cdk', 'aws-cdk-lib', 'constructs', 'esbuild']) {
        const from = name.startsWith('@winnow')
          ? join(installed.project, 'node_modules')
          : join(root, 'node_modules');
        await symlink(join(from, name), join(modules, name));
      }
      for (const file of ['stack.ts', 'kinds.ts', 'consumer.ts']) {
        await copyFile(join(root, 'examples/device-fleet', file), join(client.project, file));
      }
      const out = join(client.project, 'out');
      const { code, errors } = await run(process.execPath, [join(client.project, 'stack.ts')], {
        env: {
          ...process.env,
          CDK_CONTEXT_JSON: JSON.stringify({ admin: CHOSEN.principal }),
          CDK_OUTDIR: out,
        },
      });
      expect({ code, errors }).toEqual({ code: 0, errors: '' });
      const template: Template = JSON.parse(await readFile(join(out, 'DeviceFleet.template.json'), 'utf8'));
      const types = Object.values(template.Resources).map(({ Type }) => Type);
      expect(types).toEqual(
        expect.arrayContaining(['Custom::WinnowKind', 'Custom::WinnowSubscription', 'AWS::DynamoDB::Table']),
      );
      const bundles: string[] = [];
      for await (const file of glob('asset.*/index.mjs', { cwd: out })) {
        bundles.push(await readFile(join(out, file), 'utf8'));
      }
      expect(bundles.filter((bundle) => bundle.includes('all clear: '))).toHaveLength(1);
    } finally {
      await client.remove();
    }
  });

  it("an app with the package is synthesized with the package's functions", async () => {
    expect({ code: synthesis.code, errors: synthesis.errors }).toEqual({ code: 0, errors: '' });
    const out = join(installed.project, 'out');
    const template: Template = JSON.parse(await readFile(join(out, 'Theirs.template.json'), 'utf8'));
    const types = Object.values(template.Resources).map(({ Type }) => Type);
    expect(types.filter((type) => type === 'Custom::WinnowSubscription')).toHaveLength(2);
    const brought: string[] = [];
    for await (const file of glob('asset.*/index.mjs', { cwd: out })) {
      brought.push(await readFile(join(out, file), 'utf8'));
    }
    const packed = join(installed.project, 'node_modules/@winnow-dev/cdk/dist/functions');
    expect((await readdir(packed)).sort()).toEqual(functionNames.toSorted());
    for (const name of [
      'read',
      'write',
      'place',
      'relay',
      'dispatch',
      'reconcile',
      'authorizer',
      'subscription-resource',
    ]) {
      expect(brought).toContain(await readFile(join(packed, name, 'index.mjs'), 'utf8'));
    }
  });
});
