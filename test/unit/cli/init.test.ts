import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { App } from 'aws-cdk-lib';
import { root } from '../../../infra/bundle/index.ts';
import { readConfigFile, readSettings } from '../../../infra/settings/index.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'winnow-init-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Runs `winnow init` in the folder; an `aws` program in the folder comes first in the PATH. */
const init = (...options: string[]) =>
  promisify(execFile)(process.execPath, [join(root, 'bin/winnow.js'), 'init', ...options], {
    cwd: folder,
    env: { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` },
  });

/** An AWS CLI that answers with a template. */
async function answering(template: unknown): Promise<void> {
  const aws = join(folder, 'aws');
  const answer = JSON.stringify({ TemplateBody: template });
  await writeFile(aws, `#!/bin/sh\necho "$@" > "${folder}/asked"\ncat <<'END'\n${answer}\nEND\n`);
  await chmod(aws, 0o755);
}

describe('winnow init', () => {
  it('init writes a settings file that a synthesis reads and whose schema exists', async () => {
    const { stdout } = await init();
    expect(stdout).toContain('npx cdk deploy\n');
    const path = join(folder, 'winnow.config.json');
    const { $schema } = JSON.parse(await readFile(path, 'utf8'));
    const { properties } = JSON.parse(await readFile(join(folder, $schema), 'utf8'));
    expect(properties).toHaveProperty('placement');
    expect(readSettings(new App().node, await readConfigFile(path))).toEqual(readSettings(new App().node));
  });

  it('init does not overwrite an existing file', async () => {
    const path = join(folder, 'winnow.config.json');
    await writeFile(path, '{ "canary": true }');
    await expect(init()).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('winnow.config.json exists and was not changed'),
    });
    await expect(readFile(path, 'utf8')).resolves.toBe('{ "canary": true }');
  });

  it('init writes the settings of a deployed stack', async () => {
    const settings = { canary: true, principals: ['arn:aws:iam::111122223333:role/A'], readCapacity: '6-60' };
    await answering({ Metadata: { 'winnow:settings': settings }, Resources: {} });
    await init('--from-stack', 'Prod', '--file', 'prod.json');
    const asked = await readFile(join(folder, 'asked'), 'utf8');
    expect(asked).toContain('cloudformation get-template --stack-name Prod');
    const file = await readConfigFile(join(folder, 'prod.json'));
    expect(file?.values).toEqual({ stackName: 'Prod', ...settings });
  });

  it('init reports a stack that stores no settings, and writes nothing', async () => {
    await answering({ Resources: {} });
    await expect(init('--from-stack', 'Old')).rejects.toMatchObject({
      stderr: expect.stringContaining('the stack Old stores no settings'),
    });
    await expect(readFile(join(folder, 'winnow.config.json'))).rejects.toThrow('ENOENT');
  });
});
