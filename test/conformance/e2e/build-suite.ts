import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const MODULE = join(import.meta.dirname, 'go');
const GINKGO = 'github.com/onsi/ginkgo/v2';
const STAMPED = 'k8s.io/component-base/version';
const NEEDS_GO = 'this test builds Kubernetes’ own suite: install Go (https://go.dev/dl)';

/** The line of ginkgo that returns the time limit of a test, and the function that replaces its body. */
const LIMIT_OF_TEST = 'return s.FirstNodeWithType(types.NodeTypeIt).SpecTimeout';
const LIMIT_FROM_ENVIRONMENT = `own := s.FirstNodeWithType(types.NodeTypeIt).SpecTimeout
	if most, err := time.ParseDuration(os.Getenv("SPEC_TIMEOUT")); err == nil && (own == 0 || most < own) {
		return most
	}
	return own`;

/** The paths of the programs, which stay for later runs. */
export interface Suite {
  /** The runner. */
  readonly ginkgo: string;
  /** Kubernetes' tests. The environment variable SPEC_TIMEOUT limits each: `90s`. */
  readonly tests: string;
}

/**
 * Builds Kubernetes' end-to-end suite from the Go module proxy, in fifteen minutes on two cores. Programs that were
 * built before come from the user's cache, outside the tree.
 */
export function buildSuite(): Suite {
  const version = versionOf('k8s.io/kubernetes');
  const caches = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  const folder = join(caches, 'winnow', `kubernetes-e2e-${version}`);
  const suite = { ginkgo: join(folder, 'ginkgo'), tests: join(folder, 'e2e.test') };
  if (existsSync(suite.ginkgo) && existsSync(suite.tests)) return suite;
  console.log(`building the end-to-end suite of Kubernetes ${version} into ${folder}`);
  mkdirSync(folder, { recursive: true });
  const [major, minor] = version.split('.');
  const stamps = { gitVersion: `v${version}`, gitMajor: major, gitMinor: minor };
  const flags = Object.entries(stamps).map(([name, value]) => `-X ${STAMPED}.${name}=${value}`);
  go('build', '-o', suite.ginkgo, `${GINKGO}/ginkgo`);
  const modfile = limitedModule(folder);
  go(
    'test',
    '-c',
    '-vet=off',
    '-modfile',
    modfile,
    '-ldflags',
    `-s -w ${flags.join(' ')}`,
    '-o',
    suite.tests,
    './suite',
  );
  return suite;
}

/** The version of a module in `go/go.mod`: `1.33.2`. */
function versionOf(module: string): string {
  const text = readFileSync(join(MODULE, 'go.mod'), 'utf8');
  const line = text.split('\n').find((each) => each.startsWith(`\t${module} v`)) ?? '';
  const [, version] = / v(\S+)/.exec(line) ?? [];
  if (version === undefined) throw new Error(`go.mod does not ask for ${module}`);
  return version;
}

/**
 * Writes a go.mod with a copy of ginkgo that has a limit for every test: those of the suite are 5 to 15 minutes.
 *
 * @returns the path of the go.mod
 */
function limitedModule(folder: string): string {
  const module = go('list', '-m', '-f', '{{.Dir}}', GINKGO).trim();
  const copy = join(folder, 'ginkgo-module');
  rmSync(copy, { recursive: true, force: true });
  cpSync(module, copy, { recursive: true });
  // Files of the module cache are read-only.
  chmodSync(join(copy, 'internal'), 0o755);
  const file = join(copy, 'internal/spec.go');
  const text = readFileSync(file, 'utf8');
  if (!text.includes(LIMIT_OF_TEST)) throw new Error(`${file} has no line "${LIMIT_OF_TEST}"`);
  const imported = text.replace('import (', 'import (\n\t"os"');
  rmSync(file);
  writeFileSync(file, imported.replace(LIMIT_OF_TEST, LIMIT_FROM_ENVIRONMENT));
  const modfile = join(folder, 'go.mod');
  writeFileSync(modfile, `${readFileSync(join(MODULE, 'go.mod'), 'utf8')}\nreplace ${GINKGO} => ${copy}\n`);
  cpSync(join(MODULE, 'go.sum'), join(folder, 'go.sum'));
  return modfile;
}

function go(...args: readonly string[]): string {
  try {
    const env = { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-mod=mod -buildvcs=false' };
    return execFileSync('go', args, {
      cwd: MODULE,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') throw new Error(NEEDS_GO);
    throw error;
  }
}
