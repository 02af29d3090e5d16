import { execFile } from 'node:child_process';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Form } from './bars.ts';
import type { PeerKind } from './peer.ts';

const execute = promisify(execFile);
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** What is generated, downloaded and built: never in the source tree. */
export const CACHE = here('../../dist/bench');

/** The packages named in docs/benchmarks.md, each installed by itself: one that cannot be had stops no other. */
const NPM_PACKAGES = ['kubernetes-label-selector@2.1.3'];

export function winnowMatch(): PeerKind {
  return {
    name: 'winnow',
    command: [process.execPath, '--expose-gc', '--max-old-space-size=8192', here('peers/winnow-match.ts')],
  };
}

export function winnowSelectors(form: Form): PeerKind {
  const program = form === 'map' || form === 'object' ? 'winnow-pairs' : 'winnow-grid';
  return { name: 'winnow', command: [process.execPath, here(`peers/${program}.ts`), form] };
}

/** Kubernetes' own `labels.Selector`, from the Go module proxy. */
export async function goPeer(): Promise<PeerKind> {
  const program = join(CACHE, 'go', 'peer');
  return prepare('go', [program], async () => {
    await execute('go', ['build', '-o', program, '.'], { cwd: here('peers/go') });
  });
}

export function winnowPlacement(): PeerKind {
  return { name: 'winnow', command: [process.execPath, here('peers/winnow-placement.ts')] };
}

/** kube-scheduler, from the Go module proxy: on one core, looking at all nodes, and at as many as it does by default. */
export function goPlacementPeers(): Promise<PeerKind[]> {
  const program = join(CACHE, 'go', 'placement');
  const built = execute('go', ['build', '-o', program, './bench'], {
    cwd: here('../conformance/placement/go'),
  });
  const oneCore = ['env', 'GOMAXPROCS=1', program] as const;
  const prepared = (name: string, ...given: string[]) =>
    prepare(name, [...oneCore, ...given], async () => {
      await built;
    });
  return Promise.all([
    prepared('kube-scheduler, all nodes', '-percentage=100'),
    prepared('kube-scheduler, adaptive'),
  ]);
}

/** AWS event-ruler, from Maven Central. */
export async function eventRulerPeer(): Promise<PeerKind> {
  const jars = join(CACHE, 'java');
  const command = [
    'java',
    '-XX:MaxRAMPercentage=70',
    '-cp',
    join(jars, '*'),
    here('peers/java/EventRulerPeer.java'),
  ] as const;
  return prepare('event-ruler', command, async () => {
    await execute('java', ['-version']);
    const pom = here('peers/java/pom.xml');
    await execute('mvn', [
      '-q',
      '-B',
      '-f',
      pom,
      'dependency:copy-dependencies',
      `-DoutputDirectory=${jars}`,
    ]);
  });
}

/** What npm has for label selectors. */
export function npmPeers(): Promise<PeerKind[]> {
  return Promise.all(
    NPM_PACKAGES.map((spec) => {
      const name = spec.slice(0, spec.lastIndexOf('@'));
      const folder = join(CACHE, 'npm', name);
      return prepare(name, [process.execPath, here('peers/npm.ts'), name, folder], () =>
        install(spec, folder),
      );
    }),
  );
}

async function install(spec: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await copyFile(here('peers/npm/package.json'), join(folder, 'package.json'));
  await execute(
    'npm',
    [
      'install',
      '--no-save',
      '--ignore-scripts',
      '--legacy-peer-deps',
      '--omit=dev',
      '--loglevel=error',
      spec,
    ],
    { cwd: folder },
  );
}

async function prepare(
  name: string,
  command: readonly [string, ...string[]],
  steps: () => Promise<void>,
): Promise<PeerKind> {
  try {
    await steps();
    return { name, command };
  } catch (error) {
    return { name, missing: reason(error) };
  }
}

/** The one line that says why a program could not run, or did not do its work. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'ENOENT' && 'path' in error) return `${error.path} is not installed`;
  const told = 'stderr' in error ? String(error.stderr) : error.message;
  const lines = told.split('\n').filter((line) => line.trim() !== '' && !line.includes('warn'));
  return lines.find((line) => /error/i.test(line))?.trim() ?? lines[0] ?? error.message;
}
