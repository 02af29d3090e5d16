import { chmodSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KubernetesModule } from '../harness/kubernetes-module.ts';

const FOLDER = join(import.meta.dirname, 'go');
const MODULE = new KubernetesModule(FOLDER, 'kubernetes-e2e');
const GINKGO = 'github.com/onsi/ginkgo/v2';

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

/** The paths of the programs, which stay for later runs. */
export interface Controllers {
  readonly controllerManager: string;
  readonly scheduler: string;
}

/** Builds Kubernetes' end-to-end suite from the Go module proxy, in fifteen minutes on two cores the first time. */
export function buildSuite(): Suite {
  const ginkgo = MODULE.once('ginkgo', (output) => MODULE.go('build', '-o', output, `${GINKGO}/ginkgo`));
  const tests = MODULE.once('e2e.test', (output) => {
    const limited = ['-modfile', limitedModule()];
    MODULE.go('test', '-c', '-vet=off', ...limited, ...MODULE.stamps, '-o', output, './suite');
  });
  return { ginkgo, tests };
}

/** Builds kube-controller-manager and kube-scheduler, in five more minutes the first time. */
export function buildControllers(): Controllers {
  const commands = 'k8s.io/kubernetes/cmd';
  const programs = MODULE.build(`${commands}/kube-controller-manager`, `${commands}/kube-scheduler`);
  const [controllerManager = '', scheduler = ''] = programs;
  return { controllerManager, scheduler };
}

/**
 * Writes a go.mod with a copy of ginkgo that has a limit for every test: those of the suite are 5 to 15 minutes.
 *
 * @returns the path of the go.mod
 */
function limitedModule(): string {
  const folder = MODULE.cache;
  const module = MODULE.go('list', '-m', '-f', '{{.Dir}}', GINKGO).trim();
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
  writeFileSync(modfile, `${readFileSync(join(FOLDER, 'go.mod'), 'utf8')}\nreplace ${GINKGO} => ${copy}\n`);
  cpSync(join(FOLDER, 'go.sum'), join(folder, 'go.sum'));
  return modfile;
}
