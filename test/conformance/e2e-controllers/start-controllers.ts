import { generateKeyPairSync } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { root } from '../../../infra/bundle/index.ts';
import type { Certified } from '../../../infra/local/trust/authority.ts';
import type { Controllers } from '../e2e/build-suite.ts';
import { freePorts, type Programs } from '../harness/programs.ts';

const PAGE = 'docs/controllers.md';

export interface ControllersOptions {
  readonly controllers: Controllers;
  /** The authority that signs certificates of clients, and whose certificate each namespace gets. */
  readonly authority: Certified;
  /** The folder of the programs, which has the file `kubeconfig`. */
  readonly folder: string;
}

/**
 * Starts kube-controller-manager and kube-scheduler by the lines of docs/controllers.md, with the files that the page
 * names. They listen on free ports of loopback.
 */
export async function startControllers(
  programs: Programs,
  { controllers, authority, folder }: ControllersOptions,
): Promise<void> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  await writeFile(join(folder, 'sa.key'), privateKey.export({ type: 'pkcs1', format: 'pem' }));
  await writeFile(join(folder, 'ca.crt'), authority.certificate);
  await writeFile(join(folder, 'ca.key'), authority.key);
  const page = await readFile(join(root, PAGE), 'utf8');
  const names = ['kube-controller-manager', 'kube-scheduler'];
  const ports = await freePorts(names.length);
  const PATH = [dirname(controllers.controllerManager), process.env.PATH].join(delimiter);
  for (const [index, name] of names.entries()) {
    const own = `--bind-address=127.0.0.1 --secure-port=${ports[index]}`;
    const line = `exec ${lineOf(page, name)} ${own}`;
    programs.start('/bin/sh', ['-c', line], { name, environment: { PATH } });
  }
}

/** The line of the page that starts a program, joined. */
function lineOf(page: string, program: string): string {
  const [line] = new RegExp(String.raw`^${program} -(.*\\\n)*.*$`, 'm').exec(page) ?? [];
  if (line === undefined) throw new Error(`${PAGE} has no line that starts ${program}`);
  return line.replaceAll('\\\n', ' ');
}
