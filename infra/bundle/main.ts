/** `npm run build`: bundles the functions and prints their sizes. */
import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { bundleFunctions } from './bundle-functions.ts';

const kib = (bytes: number) => `${(bytes / 1024).toFixed(0).padStart(5)} KiB`;

const { bundles } = await bundleFunctions();
for (const { name, file, loaded, bytes } of bundles) {
  const code = await Promise.all(loaded.map((path) => readFile(path)));
  const compressed = gzipSync(Buffer.concat(code)).length;
  console.log(`${name.padEnd(12)}${kib(bytes)}${kib(compressed)} gzipped   ${file}`);
}
