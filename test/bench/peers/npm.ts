/** An npm package that matches label selectors, as a peer of the `selectors` bench: `<package> <where it is installed>`. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { type CreatePair, servePairs } from './serve-pairs.ts';

const [, , name, folder = '.'] = process.argv;
const load = createRequire(join(folder, 'node_modules', 'here.js'));

if (name !== 'kubernetes-label-selector') throw new Error(`unknown package ${name}`);
await servePairs(kubernetesLabelSelector());

/**
 * It is a script for web pages that expects angular and jQuery among the globals. `matches` itself takes one
 * function of each, which are given here; angular is not loaded.
 */
function kubernetesLabelSelector(): CreatePair<{ metadata: { labels: Record<string, string> } }> {
  const globals = { angular: { forEach }, $: { isEmptyObject } };
  const script = readFileSync(load.resolve('kubernetes-label-selector/labelSelector.js'), 'utf8');
  const LabelSelector = runInNewContext(`${script}\nLabelSelector`, globals);
  return (_text, matchExpressions, labels) => ({
    selector: new LabelSelector({ matchExpressions }),
    labels: { metadata: { labels } },
  });
}

function forEach(
  list: object | undefined,
  visit: (value: unknown, key: string) => void,
  self: unknown,
): void {
  for (const [key, value] of Object.entries(list ?? {})) visit.call(self, value, key);
}

function isEmptyObject(object: object): boolean {
  for (const _key in object) return false;
  return true;
}
