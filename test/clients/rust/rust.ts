import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '../client.ts';
import { execute } from '../execute.ts';
import { attemptProgram } from '../program.ts';

/** kube-rs, used by the program beside this. */
export const kubeRs: Client = {
  name: 'kube-rs',
  title: `kube-rs ${version()}`,
  install: async (folder) => {
    const manifest = join(import.meta.dirname, 'Cargo.toml');
    await execute('cargo', ['build', '--locked', '--manifest-path', manifest, '--target-dir', folder]);
    return attemptProgram([join(folder, 'debug/kube-rs')], folder);
  },
};

function version(): string {
  const manifest = readFileSync(join(import.meta.dirname, 'Cargo.toml'), 'utf8');
  const [, found] = /^kube = \{ version = "=([^"]+)"/m.exec(manifest) ?? [];
  if (found === undefined) throw new Error('Cargo.toml does not ask for kube');
  return found;
}
