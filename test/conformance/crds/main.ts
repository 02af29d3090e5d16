import { parseArgs } from 'node:util';
import { startService } from '../../support/service/service.ts';
import { type Folder, FolderError, readFolder } from './read-folder.ts';
import { replay } from './replay.ts';
import { Tally } from './tally.ts';
import { askUpstream } from './upstream.ts';

/**
 * Sends the definitions and samples of a folder to a Winnow of its own, and compares its verdicts with those of a
 * kube-apiserver. Exit code 1 if one differs, 2 if the folder cannot be read.
 */

const USAGE = `node test/conformance/crds/main.ts [DIR]

DIR (by default dist/crds) has crds.jsonl.gz and crd-samples.jsonl.gz, or YAML files. Each line has "project", "crd" or
"object", and "kube": {"code": 201} if a kube-apiserver has answered. Without "kube", the command tells only Winnow's
verdict. With --go, Kubernetes' own Go packages judge such definitions.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { go: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
});
process.exitCode = values.help ? help() : await main(positionals[0] ?? 'dist/crds');

function help(): number {
  console.log(USAGE);
  return 0;
}

async function main(path: string): Promise<number> {
  const folder = folderAt(path);
  if (folder === undefined) return 2;
  const definitions = (values.go ? askUpstream(folder.definitions) : undefined) ?? folder.definitions;
  const service = await startService();
  try {
    const tally = new Tally();
    for await (const judged of replay({ ...folder, definitions }, service.winnow.url)) tally.add(judged);
    return tally.report();
  } finally {
    await service.stop();
  }
}

function folderAt(path: string): Folder | undefined {
  try {
    return readFolder(path);
  } catch (error) {
    if (!(error instanceof FolderError)) throw error;
    console.error(`${error.message}\n\n${USAGE}`);
    return undefined;
  }
}
