import { join } from 'node:path';
import type { Client } from './client.ts';
import { buildGo, moduleVersion } from './go-module.ts';
import { attemptProgram } from './program.ts';

/** A library of Go, used by a program of `go/` that has its name. */
function libraryClient(name: string, path: string): Client {
  return {
    name,
    title: `${name} ${moduleVersion(path).slice(1)}`,
    install: async (folder) => {
      const program = join(folder, name);
      await buildGo(`./${name}`, program);
      return attemptProgram([program], folder);
    },
  };
}

export const clientGo = libraryClient('client-go', 'k8s.io/client-go');
export const controllerRuntime = libraryClient('controller-runtime', 'sigs.k8s.io/controller-runtime');
