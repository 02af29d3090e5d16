import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Missing } from '../../clients/client.ts';

const STAMPED = 'k8s.io/component-base/version';
const NEEDS_GO = 'programs of Kubernetes are built here, which needs Go: install it (https://go.dev/dl)';

/** A Go module that asks for Kubernetes. The programs that are built of it stay in the user's cache, outside the tree. */
export class KubernetesModule {
  /** The version of Kubernetes in the module's go.mod: `1.33.2`. */
  readonly version: string;
  /** The folder of the programs. */
  readonly cache: string;
  readonly #folder: string;

  /**
   * @param folder the folder of go.mod
   * @param name the name of the folder in the cache, to which the version is added
   */
  constructor(folder: string, name: string) {
    this.#folder = folder;
    const text = readFileSync(join(folder, 'go.mod'), 'utf8');
    const [, version] = /\tk8s\.io\/kubernetes v(\S+)/.exec(text) ?? [];
    if (version === undefined) throw new Error(`${folder}/go.mod does not ask for k8s.io/kubernetes`);
    this.version = version;
    const caches = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
    this.cache = join(caches, 'winnow', `${name}-${version}`);
  }

  /** The flags that put the version into a program. */
  get stamps(): readonly string[] {
    const [major, minor] = this.version.split('.');
    const values = { gitVersion: `v${this.version}`, gitMajor: major, gitMinor: minor };
    const flags = Object.entries(values).map(([name, value]) => `-X ${STAMPED}.${name}=${value}`);
    return ['-ldflags', `-s -w ${flags.join(' ')}`];
  }

  /** Builds the program of each package, if it is not there. @returns the paths of the programs */
  build(...packages: readonly string[]): readonly string[] {
    return packages.map((path) =>
      this.once(path.slice(path.lastIndexOf('/') + 1), (output) =>
        this.go('build', ...this.stamps, '-o', output, path),
      ),
    );
  }

  /** Runs `create` if the cache lacks this program, and says so. @returns the path of the program */
  once(program: string, create: (output: string) => void): string {
    const output = join(this.cache, program);
    if (existsSync(output)) return output;
    // Standard output may be that of a benchmark, which a program reads.
    process.stderr.write(`building ${program} for Kubernetes ${this.version} into ${this.cache}\n`);
    mkdirSync(this.cache, { recursive: true });
    create(output);
    return output;
  }

  /** Runs Go in the module, without cgo. @returns the output @throws {Missing} Go is not installed; the message says so. */
  go(...args: readonly string[]): string {
    try {
      return execFileSync('go', args, {
        cwd: this.#folder,
        env: { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-mod=mod -buildvcs=false' },
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      });
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') throw new Missing(NEEDS_GO);
      throw error;
    }
  }
}
