import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../../../infra/bundle/index.ts';

const MODULE = 'k8s.io/endpointslice';
const VERSION = 'v0.33.2';
const OWN = join(root, 'test/conformance/endpoints/go');
const OUT = join(root, 'dist/conformance/endpoints-module');

/** An edit of the reconciler, where it takes elements in the random order of a Go map. */
interface Edit {
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  readonly times?: number;
}

const EDITS: readonly Edit[] = [
  // Groups of ports in the order of their first pods.
  {
    file: 'reconciler.go',
    find: '\tdesiredEndpointsByPortMap := map[',
    replace: '\tportMaps := []endpointsliceutil.PortMapKey{}\n\tdesiredEndpointsByPortMap := map[',
  },
  {
    file: 'reconciler.go',
    find: '\t\tif _, ok := desiredMetaByPortMap[epHash]; !ok {\n',
    replace:
      '\t\tif _, ok := desiredMetaByPortMap[epHash]; !ok {\n\t\t\tportMaps = append(portMaps, epHash)\n',
  },
  {
    file: 'reconciler.go',
    find: '\tfor portMap, desiredEndpoints := range desiredEndpointsByPortMap {\n',
    replace:
      '\tfor _, portMap := range portMaps {\n\t\tdesiredEndpoints := desiredEndpointsByPortMap[portMap]\n',
  },
  // Slices in the order of their names.
  {
    file: 'reconciler.go',
    find: '\t\tif _, ok := desiredEndpointsByPortMap[portMap]; !ok {\n\t\t\tslicesToDelete = append(slicesToDelete, existingSlices...)\n\t\t}\n\t}\n',
    replace:
      '\t\tif _, ok := desiredEndpointsByPortMap[portMap]; !ok {\n\t\t\tleftOver = append(leftOver, existingSlices...)\n\t\t}\n\t}\n' +
      '\tsort.Slice(leftOver, func(i, j int) bool { return leftOver[i].Name < leftOver[j].Name })\n' +
      '\tslicesToDelete = append(slicesToDelete, leftOver...)\n',
  },
  {
    file: 'reconciler.go',
    find: '\tfor portMap, existingSlices := range existingSlicesByPortMap {\n',
    replace:
      '\tleftOver := []*discovery.EndpointSlice{}\n\tfor portMap, existingSlices := range existingSlicesByPortMap {\n',
  },
  {
    file: 'reconciler.go',
    find: 'sliceNamesToUpdate.UnsortedList()',
    replace: 'sets.List(sliceNamesToUpdate)',
    times: 2,
  },
  {
    file: 'reconciler.go',
    find: 'sliceNamesUnchanged.UnsortedList()',
    replace: 'sets.List(sliceNamesUnchanged)',
  },
  {
    file: 'reconciler.go',
    find: 'sliceNamesToDelete.UnsortedList()',
    replace: 'sets.List(sliceNamesToDelete)',
  },
  {
    file: 'reconciler.go',
    find: 'sort.Sort(endpointSliceEndpointLen',
    replace: 'sort.Stable(endpointSliceEndpointLen',
  },
  // Endpoints in the order of their pods.
  {
    file: 'util/endpointset.go',
    find: '\tfor _, endpoint := range s {\n\t\ts.Delete(endpoint)\n\t\treturn endpoint, true\n\t}\n\treturn nil, false\n',
    replace:
      '\tvar first *discovery.Endpoint\n\tfor _, endpoint := range s {\n' +
      '\t\tif first == nil || endpoint.TargetRef.Name < first.TargetRef.Name {\n\t\t\tfirst = endpoint\n\t\t}\n\t}\n' +
      '\tif first != nil {\n\t\ts.Delete(first)\n\t}\n\treturn first, first != nil\n',
  },
  // Ports in the order of their names, and not of hashes.
  {
    file: 'util/controller_utils.go',
    find: '\th1 := deepHashObjectToString(sl[i])\n\th2 := deepHashObjectToString(sl[j])\n\treturn h1 < h2\n',
    replace:
      '\tkey := func(p discovery.EndpointPort) string {\n' +
      '\t\treturn fmt.Sprintf("%s %s %05d", *p.Name, *p.Protocol, *p.Port)\n\t}\n' +
      '\treturn key(sl[i]) < key(sl[j])\n',
  },
];

/**
 * Writes a copy of the reconciler that makes the same decisions, but takes the first of several equal choices. The
 * original answers the same question differently each time.
 *
 * @returns the go.mod with which to build it
 * @throws if the module is not the one that the edits are for
 */
export function writeOrderedModule(): string {
  const download = ['mod', 'download', '-json', `${MODULE}@${VERSION}`];
  const { Dir: source } = JSON.parse(execFileSync('go', download, { cwd: OWN, encoding: 'utf8' }));
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => /(?<!_test)\.go$|^go\.mod$/.test(name))) {
    mkdirSync(dirname(join(OUT, file)), { recursive: true });
    writeFileSync(join(OUT, file), edited(file, readFileSync(join(source, file), 'utf8')));
  }
  const modfile = join(OUT, 'winnow.mod');
  const own = readFileSync(join(OWN, 'go.mod'), 'utf8');
  writeFileSync(modfile, replaced(own, { find: `=> ${MODULE} ${VERSION}`, replace: `=> ${OUT}` }));
  writeFileSync(join(OUT, 'winnow.sum'), readFileSync(join(OWN, 'go.sum')));
  return modfile;
}

function edited(file: string, text: string): string {
  return EDITS.filter((edit) => edit.file === file).reduce(replaced, text);
}

function replaced(text: string, { find, replace, times = 1 }: Omit<Edit, 'file'>): string {
  const parts = text.split(find);
  if (parts.length - 1 !== times) throw new Error(`${MODULE} ${VERSION} has not ${times} times: ${find}`);
  return parts.join(replace);
}
