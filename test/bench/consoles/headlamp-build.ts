import { access, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Missing } from '../../clients/client.ts';
import { execute } from '../../clients/execute.ts';

export const HEADLAMP_VERSION = '0.45.0';

/** The parts of the repository that the build needs. */
const PARTS = ['frontend', 'backend', 'app/package.json'];

export interface HeadlampFiles {
  /** The path of the server. */
  readonly server: string;
  /** The folder of the built page. */
  readonly page: string;
}

export interface BuildOptions {
  /** Where the build stays for the next time. */
  readonly folder: string;
  /** A clone of Headlamp's repository. The registries have neither its page nor its server. */
  readonly clone: string | undefined;
  readonly tell: (progress: string) => void;
}

/**
 * Builds Headlamp's server and page, unless the folder has them.
 *
 * @throws {Missing} there is no clone, or no Go, npm or git.
 */
export async function buildHeadlamp({ folder, clone, tell }: BuildOptions): Promise<HeadlampFiles> {
  const built = { server: join(folder, 'headlamp-server'), page: join(folder, 'frontend/build') };
  if (await exists(built.server)) return built;
  if (clone === undefined) {
    throw new Missing(
      `not built yet: clone the repository kubernetes-sigs/headlamp with its tag v${HEADLAMP_VERSION}, and name the clone with --headlamp FOLDER`,
    );
  }
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const sources = join(folder, 'sources.tar');
  const archive = ['-C', clone, 'archive', '-o', sources, `v${HEADLAMP_VERSION}`, ...PARTS];
  await execute('git', archive);
  await execute('tar', ['-xf', sources, '-C', folder]);
  const frontend = join(folder, 'frontend');
  tell('installing the packages of Headlamp’s page');
  await execute('nice', ['npm', 'ci', '--no-audit', '--no-fund', '--ignore-scripts'], {
    directory: frontend,
  });
  tell('building Headlamp’s page: some minutes');
  // The build asks git for its commit.
  const gitFolder = (await execute('git', ['-C', clone, 'rev-parse', '--absolute-git-dir'])).trim();
  await execute('nice', ['npm', 'run', 'build'], {
    directory: frontend,
    environment: { GIT_DIR: gitFolder },
  });
  tell('building Headlamp’s server: some minutes');
  // The server comes last: it stands for a whole build.
  await execute('nice', ['go', 'build', '-ldflags=-s -w', '-o', built.server, './cmd'], {
    directory: join(folder, 'backend'),
  });
  return built;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
