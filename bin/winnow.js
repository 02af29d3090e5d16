#!/usr/bin/env node
/** Runs the command line, which is TypeScript, under the pinned Node where the machine's own is too old for it. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAJOR = 24;
const MAIN = new URL('../cli/main.ts', import.meta.url);

if (Number(process.versions.node.split('.')[0]) >= MAJOR) {
  await import(MAIN.href);
} else {
  runUnder(pinnedNode());
}

/** The program of the package `node`; undefined where `npm ci` has not brought it. */
function pinnedNode() {
  try {
    const manifest = createRequire(import.meta.url).resolve('node/package.json');
    const program = join(dirname(manifest), 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
    return existsSync(program) ? program : undefined;
  } catch {
    return undefined;
  }
}

/** @param {string | undefined} node */
function runUnder(node) {
  if (node === undefined) {
    process.stderr.write(
      `winnow runs on Node ${MAJOR} (this is ${process.version}): "npm ci" in its folder installs one beside it\n`,
    );
    process.exit(1);
  }
  // The channel closes when this process ends, however it ends; the child ends then (cli/main.ts).
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc'];
  const child = spawn(node, [fileURLToPath(MAIN), ...process.argv.slice(2)], { stdio });
  // A terminal sends Ctrl-C to both of us.
  const fromTerminal = process.stdin.isTTY || process.stdout.isTTY;
  process.on('SIGINT', () => fromTerminal || child.kill('SIGINT'));
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code) => process.exit(code ?? 1));
}
