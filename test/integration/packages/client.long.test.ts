import { readFileSync } from 'node:fs';
import { copyFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { root } from '../../../infra/bundle/index.ts';
import * as aws from '../../../lib/client/aws/index.ts';
import * as definition from '../../../lib/client/definition/index.ts';
import * as source from '../../../lib/client/index.ts';
import * as node from '../../../lib/client/node/index.ts';
import * as objects from '../../../lib/client/objects/index.ts';
import { createReplicaTable } from '../../support/client/replica-table.ts';
import { eventually } from '../../support/eventually.ts';
import { awsEnvironment, feed, startProgram } from '../../support/example-languages.ts';
import { readExamples } from '../../support/examples.ts';
import {
  type InstalledPackage,
  installPackage,
  runProgram,
} from '../../support/service/installed-package.ts';
import { run } from '../../support/service/run-cli.ts';
import { type Service, startService } from '../../support/service/service.ts';
import { isPublishedWhole } from './published-package.ts';

const FOLDER = 'lib/client';
const KIB = 1024;
const CONFIGMAPS = '/api/v1/namespaces/default/configmaps';

const manifest = JSON.parse(readFileSync(join(root, FOLDER, 'package.json'), 'utf8'));
const page = readFileSync(join(root, FOLDER, 'README.md'), 'utf8');

let installed: InstalledPackage;

beforeAll(async () => {
  installed = await installPackage(FOLDER);
});

afterAll(() => installed?.remove());

describe('the published package @winnow-dev/client', () => {
  isPublishedWhole({
    folder: FOLDER,
    name: manifest.name,
    mostBytes: 336 * KIB,
    leastModules: 10,
    installed: () => installed,
  });

  it('the package exports the names of its entries, and its examples print the documented output', async () => {
    const names = [
      { entry: manifest.name, face: source },
      { entry: `${manifest.name}/objects`, face: objects },
      { entry: `${manifest.name}/definition`, face: definition },
      { entry: `${manifest.name}/aws`, face: aws },
      { entry: `${manifest.name}/node`, face: node },
    ].map(({ entry, face }) => ({
      title: entry,
      code: `import * as face from '${entry}';\nconsole.log(Object.keys(face).join());`,
      prints: [Object.keys(face).join()],
    }));
    for (const program of await installed.compile([
      ...names,
      ...readExamples(join(root, FOLDER, 'README.md')),
    ])) {
      const { code, out, errors } = await runProgram(program);
      expect({ code, errors, out: out.trimEnd().split('\n') }).toEqual({
        code: 0,
        errors: '',
        out: program.prints,
      });
    }
  });
});

describe('the optional packages of @winnow-dev/client', () => {
  const evaluate = (code: string) =>
    run(process.execPath, ['--input-type=module', '--eval', code], { cwd: installed.project });

  it('a kubeconfig in JSON needs no other package, and one in YAML names the package that is missing', async () => {
    const { out, errors } = await evaluate(`
      import { writeFileSync } from 'node:fs';
      import { readKubeconfig } from '@winnow-dev/client/node';
      const config = {
        'current-context': 'c',
        clusters: [{ name: 'c', cluster: { server: 'https://winnow.example' } }],
        contexts: [{ name: 'c', context: { cluster: 'c' } }],
      };
      writeFileSync('config.json', JSON.stringify(config));
      writeFileSync('config.yaml', 'current-context: c');
      console.log((await readKubeconfig({ file: 'config.json' })).url);
      await readKubeconfig({ file: 'config.yaml' }).catch(({ message }) => console.log(message.slice(0, 60)));`);
    const missing = 'the kubeconfig config.yaml is YAML: run "npm install yaml", ';
    expect([out, errors]).toEqual([`https://winnow.example\n${missing}\n`, '']);
  });

  it('the hooks work with the React that the project installs', async () => {
    for (const name of ['react', 'react-dom', 'scheduler']) {
      await symlink(join(root, 'node_modules', name), join(installed.project, 'node_modules', name));
    }
    const { out, errors } = await evaluate(`
      import { createElement } from 'react';
      import { renderToString } from 'react-dom/server';
      import { connect, resource } from '@winnow-dev/client/objects';
      import { useLive } from '@winnow-dev/client/react';
      const pods = connect({ url: 'http://127.0.0.1:1' }).objects(resource('v1', 'pods'));
      console.log(renderToString(createElement(() => useLive(pods).state)));`);
    expect([out, errors]).toEqual(['starting\n', '']);
  });
});

describe('the examples that use the package', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
    // The peer dependency, linked as npm would install it.
    await symlink(join(root, 'node_modules/@aws-sdk'), join(installed.project, 'node_modules/@aws-sdk'));
  });
  afterAll(() => service.stop());

  it.each(['replica.ts', 'replica-lambda.ts'])('the example %s is the one on its page', (file) => {
    expect(page).toContain(
      `\`\`\`typescript\n${readFileSync(join(root, 'examples/typescript', file), 'utf8')}\`\`\`\n`,
    );
  });

  it('replica.ts prints what enters, changes in and leaves the set', async () => {
    const { http } = service;
    await http.post(CONFIGMAPS, { metadata: { name: 'a', labels: { site: 'north' } } });
    await service.subscribe('north', {
      resource: { group: '', resource: 'configmaps' },
      labelSelector: 'site=north',
    });
    await copyFile(join(root, 'examples/typescript/replica.ts'), join(installed.project, 'replica.ts'));
    const command = [process.execPath, join(installed.project, 'replica.ts'), service.winnow.url, 'north'];
    const program = startProgram(command, awsEnvironment(service));
    try {
      const prints = (...lines: string[]) =>
        eventually(`it prints ${lines.at(-1)}`, () => {
          expect(program.errors()).toBe('');
          return program.lines().length >= lines.length;
        }).then(() => expect(program.lines()).toEqual(lines));
      await prints('entered a', 'the set is complete');
      await http.post(CONFIGMAPS, { metadata: { name: 'b', labels: { site: 'north' } } });
      await http.merge(`${CONFIGMAPS}/a`, { data: { a: 'b' } });
      await http.merge(`${CONFIGMAPS}/a`, { metadata: { labels: { site: 'south' } } });
      await prints('entered a', 'the set is complete', 'entered b', 'changed a', 'left a');
    } finally {
      await program.stop();
    }
  });

  it('replica-lambda.ts keeps the set in a table between invocations', async () => {
    const dynamodb = new DynamoDBClient(service.winnow.dynamodbClientConfig);
    await createReplicaTable(dynamodb, 'inventory');
    dynamodb.destroy();
    await copyFile(join(root, 'examples/typescript/replica-lambda.ts'), join(installed.project, 'lambda.ts'));
    const call = `
      import { json } from 'node:stream/consumers';
      import { handler } from '${installed.project}/lambda.ts';
      console.log(JSON.stringify(await handler(await json(process.stdin))));`;
    const handle = async (...bodies: unknown[]) => {
      const Records = bodies.map((body, index) => ({ messageId: `${index}`, body: JSON.stringify(body) }));
      const command = [process.execPath, '--input-type=module', '--eval', call];
      const out = await feed(command, awsEnvironment(service), JSON.stringify({ Records }));
      return out.trimEnd().split('\n');
    };
    const event = (type: string, rv: string) => ({
      type,
      object: { metadata: { name: 'a', resourceVersion: rv } },
    });
    const none = '{"batchItemFailures":[]}';
    expect(await handle(event('ADDED', '1'))).toEqual(['entered a', none]);
    expect(await handle(event('ADDED', '1'), event('DELETED', '3'))).toEqual(['left a', none]);
    expect(await handle(event('MODIFIED', '2'))).toEqual([none]);
  });
});
