import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { type JsonValue, TooLargeError } from '../../../../lib/json/index.ts';
import { EncodingError, type ReadYaml, readYaml } from '../../../../lib/kubernetes/encodings/index.ts';

interface Recorded {
  readonly yaml: string;
  /** The value. Absent if the text is an error or empty. */
  readonly json?: JsonValue;
  readonly error?: string;
  /** The error of a strict read. */
  readonly strict?: string;
}

/** Texts and the answers of Kubernetes' own reader, sigs.k8s.io/yaml. `npm run schema` records them. */
const recorded: Recorded[] = readFileSync(new URL('yaml.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

/**
 * Texts that Winnow reads differently from Kubernetes. It refuses tags without a JSON equivalent. It accepts surrogate
 * escapes, and keys that override merged ones.
 */
const OTHERWISE: Readonly<Record<string, Partial<ReadYaml> | string>> = {
  'a: !!binary aGVsbG8=\n': 'yaml: line 1: Unresolved tag: tag:yaml.org,2002:binary',
  'a: !foo x\n': 'yaml: line 1: Unresolved tag: !foo',
  'a: !!set {x}\n': 'yaml: line 1: Unresolved tag: tag:yaml.org,2002:set',
  'a: "\\ud83d\\ude00"\n': { value: { a: '😀' } },
  'a: &x {p: 1}\nb:\n  <<: *x\n  p: 2\n': { value: { a: { p: 1 }, b: { p: 2 } }, duplicates: [] },
};

const read = (text: string) => readYaml(Buffer.from(text));

describe('A body in YAML', () => {
  it.each(recorded.filter(({ yaml }) => !(yaml in OTHERWISE)))(
    'readYaml reads $yaml as Kubernetes does',
    async (one) => {
      const { yaml, json = null, error, strict } = one;
      if (error !== undefined) {
        await expect(read(yaml)).rejects.toThrow(EncodingError);
        return;
      }
      const { value, duplicates } = await read(yaml);
      expect(value).toEqual(json);
      const told = strict
        ?.split('\n')
        .slice(1)
        .map((line) => line.trim());
      expect(duplicates).toEqual(told ?? []);
    },
  );

  it.each(Object.entries(OTHERWISE))('readYaml reads %j differently from Kubernetes', async (text, ours) => {
    if (typeof ours === 'string') {
      await expect(read(text)).rejects.toThrow(ours);
    } else {
      expect(await read(text)).toMatchObject(ours);
    }
  });

  it('keys like __proto__ become own properties', async () => {
    expect(Object.entries((await read('__proto__: {a: 1}')).value ?? {})).toEqual([['__proto__', { a: 1 }]]);
  });

  it.each([
    [
      'anchors that multiply',
      `a: &a [x,x]\n${'bcdefghij'.replace(/./g, (key) => `${key}: &${key} [${aliases(key)}]\n`)}`,
    ],
    ['brackets without an end', '['.repeat(100_000)],
    ['maps within maps', '{a: '.repeat(20_000)],
    ['bytes that are no text', Buffer.from([0xff, 0xfe, 0xfd])],
  ])('readYaml refuses %s', async (_, body) => {
    await expect(readYaml(Buffer.from(body))).rejects.toThrow(EncodingError);
  });

  it.each([
    ['&a [*a]'],
    ['a: &a\n  b: *a'],
    ['&a {x: *a}'],
    ['metadata: &a\n  labels: *a'],
    ['x: &a [[[[*a]]]]'],
    ['a: &a\n  <<: *a'],
  ])('readYaml refuses %j, in which an anchor contains itself', async (text) => {
    await expect(read(text)).rejects.toThrow(new EncodingError("yaml: anchor 'a' value contains itself"));
  });

  it.each([
    ['lists in block style', '- []\n'.repeat(200_000), '120001 keys and values'],
    ['pairs without keys', `[${':,'.repeat(200_000)}]`, '120001 keys and values'],
    ['block keys', lines(110_000, (line) => `${line}:`), '120001 keys and values'],
    ['empty members in flow style', `[${':,'.repeat(100_000)}]`, 'a key is no text'],
  ])('readYaml refuses %s beyond the limit of nodes', async (_, text, why) => {
    await expect(read(text)).rejects.toThrow(why);
  });

  it.each([
    ['anchors', lines(10_001, (line) => `- &a${line} x`)],
    ['anchors and aliases together', lines(5_001, (line) => `- &a${line} x\n- *a${line}`)],
  ])('readYaml refuses more than 10,000 %s', async (_, text) => {
    await expect(read(text)).rejects.toThrow('yaml: document contains more than 10000 anchors and aliases');
  });

  it('readYaml accepts 200 levels and refuses one more, also through an alias', async () => {
    const deep = (levels: number, within = '') => `${'['.repeat(levels)}${within}${']'.repeat(levels)}`;
    const refusal = 'exceeded max depth: YAML may be nested 200 levels deep';

    expect(JSON.stringify((await read(deep(200))).value)).toBe(deep(200));
    await expect(read(deep(201, '1'))).rejects.toThrow(refusal);
    await expect(read(`- &a ${deep(150)}\n- ${deep(51, '*a')}`)).rejects.toThrow(refusal);
  });

  it('readYaml gives each alias its own copy of the value', async () => {
    const { value } = await read('a: &a {p: [1]}\nb: *a');
    const { a, b } = value as { a: JsonValue; b: JsonValue };

    expect(b).toEqual(a);
    expect(b).not.toBe(a);
  });

  it('readYaml reads a body of 59,000 keys, and ignores everything after the first document', async () => {
    const text = lines(59_000, (line) => `k${line}: a`);

    expect(Object.keys((await read(text)).value ?? {})).toHaveLength(59_000);
    expect(await read(`a: 1\n---\n${'['.repeat(1000)}`)).toEqual({ value: { a: 1 }, duplicates: [] });
    expect(await read(`# none\n%YAML 1.1\n---\na: 1\n...\n]`)).toMatchObject({ value: { a: 1 } });
  });

  it('readYaml refuses a body of more than 1 MiB without parsing it', async () => {
    await expect(readYaml(new Uint8Array(2 ** 20 + 1))).rejects.toThrow(TooLargeError);
  });
});

function lines(count: number, line: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => `${line(index)}\n`).join('');
}

/** Nine aliases of the anchor that precedes `key` in the alphabet. */
function aliases(key: string): string {
  const before = String.fromCharCode(key.charCodeAt(0) - 1);
  return Array.from({ length: 9 }, () => `*${before}`).join(',');
}
