import { equal } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { eventually } from '../../support/eventually.ts';
import { listen } from '../../support/listen.ts';
import { expectNoFault, runInBackground } from '../background.ts';
import type { Attempt, Client } from '../client.ts';
import { execute } from '../execute.ts';
import { buildEdited, downloadModule } from '../go-module.ts';
import { createDefinitions, untilTrue } from '../objects.ts';
import { trySteps } from '../outcome-of.ts';

const VERSION = 'v1.9.0';
const MODULE = 'github.com/fluxcd/kustomize-controller';
/** The module of the kinds that say where the files are. */
const SOURCES = 'github.com/fluxcd/source-controller';

/** Flux' kustomize-controller, built from its Go module. The attempt plays the source-controller. */
export const flux: Client = {
  name: 'flux',
  title: `Flux kustomize-controller ${VERSION.slice(1)}`,
  install: async (folder) => {
    const program = join(folder, 'kustomize-controller');
    // The published module of its kinds takes the place of a folder that its archive lacks.
    const edit = (goMod: string) => goMod.replace(/^replace \S+ => \.\/api$/m, '');
    const source = await buildEdited(`${MODULE}@${VERSION}`, edit, { folder, program });
    const sources = await downloadModule(`${SOURCES}@${VERSION}`, folder);
    const folders = [source, sources].map((one) => join(one, 'config/crd/bases'));
    const files = await Promise.all(
      folders.map(async (one) => (await readdir(one)).map((name) => join(one, name))),
    );
    return attempt(program, files.flat());
  },
};

const BASE = '/api/v1/namespaces/default/configmaps';
const KUSTOMIZATIONS = '/apis/kustomize.toolkit.fluxcd.io/v1/namespaces/default/kustomizations';
const REPOSITORIES = '/apis/source.toolkit.fluxcd.io/v1/namespaces/default/gitrepositories';
/** How often it compares the objects with their files, in seconds. */
const INTERVAL = 5;
const PATIENCE = 60_000;

function attempt(program: string, definitions: readonly string[]): Attempt {
  return async ({ kubeconfig, home, http }, tell) => {
    const files = new Map<string, Buffer>();
    const server = createServer(({ url = '' }, response) => {
      const file = files.get(url);
      response.writeHead(file === undefined ? 404 : 200).end(file);
    });
    const { url, stop } = await listen(server);
    let revision = 0;
    /** Says that the files have changed, as the source-controller does. */
    const publish = async (objects: readonly object[]) => {
      revision += 1;
      const archive = await archiveOf(objects, join(home, `files-${revision}`));
      files.set(`/${revision}.tar.gz`, archive);
      const artifact = {
        path: `${revision}`,
        url: `${url}/${revision}.tar.gz`,
        revision: `main@sha1:${revision}`,
        digest: `sha256:${createHash('sha256').update(archive).digest('hex')}`,
        lastUpdateTime: new Date().toISOString(),
      };
      await http.merge(`${REPOSITORIES}/app/status`, { status: { observedGeneration: 1, artifact } });
    };
    /** Undefined if the object does not exist. */
    const color = async (name: string) => {
      const { body } = await http.send('GET', `${BASE}/${name}`);
      return (body.data as { color?: string } | undefined)?.color;
    };
    const becomes = (name: string, wanted: string | undefined) =>
      eventually(`${name} is ${wanted}`, async () => (await color(name)) === wanted || undefined, PATIENCE);
    await createDefinitions(http, definitions);
    await http.send('POST', REPOSITORIES, {
      body: {
        apiVersion: 'source.toolkit.fluxcd.io/v1',
        kind: 'GitRepository',
        metadata: { name: 'app' },
        spec: { url: 'https://git.example/app.git', interval: '1m' },
      },
    });
    const running = runInBackground(
      program,
      ['--metrics-addr=127.0.0.1:0', '--health-addr=127.0.0.1:0', '--watch-all-namespaces'],
      { HOME: home, KUBECONFIG: kubeconfig, RUNTIME_NAMESPACE: 'default' },
    );
    const steps: Readonly<Record<string, () => Promise<void>>> = {
      'applies the files of a source': async () => {
        await publish([configMap('one', 'blue'), configMap('two', 'blue')]);
        await http.send('POST', KUSTOMIZATIONS, {
          body: {
            apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
            kind: 'Kustomization',
            metadata: { name: 'app' },
            spec: {
              interval: `${INTERVAL}s`,
              prune: true,
              path: './',
              sourceRef: { kind: 'GitRepository', name: 'app' },
            },
          },
        });
        await becomes('one', 'blue');
        await becomes('two', 'blue');
      },
      'reports that it is ready': async () => {
        await untilTrue(http, `${KUSTOMIZATIONS}/app`, 'Ready');
      },
      'takes back a change by hand': async () => {
        await http.merge(`${BASE}/one`, { data: { color: 'red' } });
        equal(await color('one'), 'red');
        await becomes('one', 'blue');
      },
      'applies a new revision, and prunes an object that has no file any more': async () => {
        await publish([configMap('one', 'green')]);
        await becomes('one', 'green');
        await becomes('two', undefined);
      },
      'deletes its objects when it is deleted itself': async () => {
        await http.delete(`${KUSTOMIZATIONS}/app`);
        await becomes('one', undefined);
        await eventually(
          'it is gone',
          async () => (await http.names(KUSTOMIZATIONS)).length === 0 || undefined,
        );
      },
      'logs no error': async () => {
        expectNoFault([running], (line) => line.includes('"level":"error"'));
      },
    };
    try {
      await trySteps(steps, tell);
    } finally {
      await running.stop();
      await stop();
    }
  };
}

async function archiveOf(objects: readonly object[], folder: string): Promise<Buffer> {
  await mkdir(folder);
  await writeFile(join(folder, 'objects.yaml'), objects.map((one) => stringify(one)).join('---\n'));
  const file = `${folder}.tar.gz`;
  await execute('tar', ['-czf', file, '-C', folder, '.']);
  return readFile(file);
}

const configMap = (name: string, color: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
  data: { color },
});
