import { join } from 'node:path';
import type { Client } from '../client.ts';
import { buildGo, moduleVersion } from '../go-module.ts';
import { attemptSteps } from '../steps.ts';
import { STEPS } from './steps.ts';

/** Helm of a major version, built from its Go module. */
export function helm(major: 3 | 4): Client {
  const path = `helm.sh/helm/v${major}`;
  return {
    name: `helm-${major}`,
    title: `Helm ${moduleVersion(path).slice(1)}`,
    install: async (folder) => {
      await buildGo(`${path}/cmd/helm`, join(folder, 'helm'));
      return attemptSteps(folder, STEPS);
    },
  };
}
