import { CONFIG_MAPS, KIB, REVIEWS, repeated, type Shape } from '../fuzz-request.ts';

const indented = (depth: number, line: string) => `${' '.repeat(depth)}${line}\n`;

/** YAML texts of so many bytes, by name. */
const TEXTS: Readonly<Record<string, (bytes: number) => string>> = {
  'block keys': (bytes) => repeated(bytes, (at) => `k${at}: a\n`),
  'the same key': (bytes) => repeated(bytes, () => 'a: a\n'),
  'lists in block style': (bytes) => repeated(bytes, () => '- []\n'),
  'lists in flow style': (bytes) => `[${repeated(bytes - 2, () => '[],')}]`,
  'empty pairs in flow style': (bytes) => `[${repeated(bytes - 2, () => ':,')}]`,
  'pairs in flow style': (bytes) => `[${repeated(bytes - 2, () => 'a: b,')}]`,
  'a map in flow style': (bytes) => `{${repeated(bytes - 2, (at) => `k${at}: a,`)}}`,
  'JSON as YAML': (bytes) => `{${repeated(bytes - 8, (at) => `"k${at}":"a",`)}"a":1}`,
  anchors: (bytes) => repeated(bytes, (at) => `- &a${at} x\n`),
  aliases: (bytes) => `- &a x\n${repeated(bytes, () => '- *a\n')}`,
  'anchors and aliases': (bytes) => repeated(bytes, (at) => `- &a${at} x\n- *a${at}\n`),
  'aliases that multiply': (bytes) =>
    `a0: &a0 [x,x]\n${repeated(bytes, (at) => `a${at + 1}: &a${at + 1} [*a${at},*a${at}]\n`)}`,
  'aliases of a long list': (bytes) =>
    `a: &a [${repeated(bytes / 2, () => 'x,')}]\n${repeated(bytes / 2, (at) => `b${at}: *a\n`)}`,
  merges: (bytes) => `a: &a {x: 1}\nb:\n${repeated(bytes, () => '  <<: *a\n')}`,
  documents: (bytes) => repeated(bytes, () => 'a\n---\n'),
  'ends of documents': (bytes) => repeated(bytes, () => '...\n'),
  comments: (bytes) => `${repeated(bytes, () => '# a\n')}a: b\n`,
  'empty lines': (bytes) => `${'\n'.repeat(bytes)}a: b\n`,
  'a folded text': (bytes) => `a: >\n${repeated(bytes, () => '  x\n')}`,
  'a literal text': (bytes) => `a: |\n${repeated(bytes, () => ' x\n')}`,
  'a plain text of many lines': (bytes) => `a: x\n${repeated(bytes, () => ' x\n')}`,
  'escapes in double quotes': (bytes) => `a: "${repeated(bytes, () => '\\n')}"`,
  'lines in double quotes': (bytes) => `a: "${repeated(bytes, () => 'x\n  ')}"`,
  'escapes in single quotes': (bytes) => `a: '${repeated(bytes, () => "''")}'`,
  'explicit keys': (bytes) => repeated(bytes, (at) => `? k${at}\n: a\n`),
  tags: (bytes) => repeated(bytes, () => '- !!str a\n'),
  'properties of flow lists': (bytes) => repeated(bytes, (at) => `- &a${at % 9}\n  [x]\n`),
  'properties of a large list': (bytes) => `&a\n[${repeated(bytes, () => 'a,')}]`,
  'nested pairs around a large list': (bytes) =>
    `${'['.repeat(400)}[${repeated(bytes - 2000, () => 'a,')}]${': x]'.repeat(400)}`,
  brackets: (bytes) => '['.repeat(bytes),
  'dashes on one line': (bytes) => '- '.repeat(bytes / 2),
  'keys that nest': (bytes) =>
    Array.from({ length: Math.sqrt(bytes * 2) }, (_, at) => indented(at, 'a:')).join(''),
  'anchors that nest': (bytes) =>
    Array.from({ length: Math.sqrt(bytes * 2) }, (_, at) => indented(at, `- &a${at}`)).join(''),
  directives: (bytes) => repeated(bytes, () => '%a b\n'),
  'a long name of an anchor': (bytes) => `- &${'a'.repeat(bytes)} x`,
  'a long tag': (bytes) => `- !${'a'.repeat(bytes)}`,
  'a long number': (bytes) => `- ${'1'.repeat(bytes)}`,
  'an unended quote': (bytes) => `a: "${'x'.repeat(bytes)}`,
};

/** As a ConfigMap, and as a review, which every caller may send. */
export const YAML_SHAPES: readonly Shape[] = Object.entries(TEXTS).flatMap(([name, text]) =>
  [CONFIG_MAPS, REVIEWS].map((path) => ({
    name: `YAML, ${path === REVIEWS ? 'review' : 'ConfigMap'}: ${name}`,
    most: 1024 * KIB - 16,
    make: (bytes: number) => ({
      method: 'POST',
      path: `${path}?dryRun=All`,
      type: 'application/yaml',
      body: text(Math.floor(bytes)).slice(0, bytes),
    }),
  })),
);
