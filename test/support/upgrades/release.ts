import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../../infra/bundle/index.ts';
import { ownNodeFirst } from '../../deploy/own-node-first.ts';

const run = promisify(execFile);

/** A commit of this repository, checked out beside it. */
export interface Release {
  /** What it is, for people: a tag, or why it is no release. */
  readonly name: string;
  readonly folder: string;
  remove(): Promise<void>;
}

/**
 * Checks a commit out, with its dependencies: the one that is named, or else the last release before the present
 * commit, or else the present commit, for there is no release yet. Where there is no git, it is what is here.
 */
export async function checkOut(ref: string | undefined): Promise<Release> {
  const chosen = await choose(ref).catch((error: unknown) => {
    if (ref !== undefined) throw error;
  });
  if (chosen === undefined) {
    return { name: 'this folder, which is in no git', folder: root, remove: async () => {} };
  }
  const { commit, name } = chosen;
  const folder = await mkdtemp(join(tmpdir(), 'winnow-release-'));
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  try {
    const archive = join(folder, 'release.tar');
    await git('archive', '--format=tar', `--output=${archive}`, commit);
    await run('tar', ['-xf', archive, '-C', folder]);
    await rm(archive);
    await addDependencies(folder);
    return { name, folder, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function choose(ref: string | undefined): Promise<{ commit: string; name: string }> {
  if (ref !== undefined) return { commit: ref, name: ref };
  const tags = (await git('tag', '--list', 'v*', '--merged', 'HEAD', '--sort=-version:refname')).split('\n');
  const [present] = (await git('tag', '--points-at', 'HEAD', '--list', 'v*')).split('\n');
  const last = tags.find((tag) => tag !== '' && tag !== present);
  if (last !== undefined) return { commit: last, name: last };
  await git('rev-parse', '--verify', 'HEAD^{commit}');
  return { commit: 'HEAD', name: 'the present commit, for there is no release before it' };
}

async function git(...parameters: readonly string[]): Promise<string> {
  const { stdout } = await run('git', ['-C', root, ...parameters]);
  return stdout.trim();
}

/** Ours, where they are the same. */
async function addDependencies(folder: string): Promise<void> {
  const [own, its] = await Promise.all(
    [root, folder].map((at) => readFile(join(at, 'package-lock.json'), 'utf8')),
  );
  if (own === its) {
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  } else {
    await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, env: withOwnNode() });
  }
}

/** Bundles the functions of a release. Gives the folder that holds `<name>/index.mjs` for each. */
export async function bundleRelease({ folder }: Release): Promise<string> {
  await run(process.execPath, [join('infra', 'bundle', 'main.ts')], { cwd: folder, env: withOwnNode() });
  return join(folder, 'dist', 'functions');
}

const withOwnNode = () => ({ ...process.env, PATH: ownNodeFirst() });
