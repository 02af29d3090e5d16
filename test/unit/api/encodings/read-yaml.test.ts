import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { EncodingError, type ReadYaml, readYaml } from '../../../../lib/api/encodings/index.ts';
import { type JsonValue, TooLargeError } from '../../../../lib/store/index.ts';

interface Recorded {
  readonly yaml: string;
  /** Absent where it is an error, and where the text says nothing. */
  readonly json?: JsonValue;
  readonly error?: string;
  /** What strict reading says. */
  readonly strict?: string;
}

/** Read by Kubernetes' own reader, sigs.k8s.io/yaml: `npm run schema`. */
const recorded: Recorded[] = readFileSync(new URL('yaml.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

/** Where ours is stricter: tags that JSON has nothing for. Where it is milder: it reads surrogates, and overrides. */
const OTHERWISE: Readonly<Record<string, Partial<ReadYaml> | string>> = {
  'a: !!binary aGVsbG8=\n': 'yaml: line 1: Unresolved tag: tag:yaml.org,2002:binary',
  'a: !foo x\n': 'yaml: line 1: Unresolved tag: !foo',
  'a: !!set {x}\n': 'yaml: line 1: Unresolved tag: tag:yaml.org,2002:set',
  'a: "\\ud83d\\ude00"\n': { value: { a: '😀' } },
  'a: &x {p: 1}\nb:\n  <<: *x\n  p: 2\n': { value: { a: { p: 1 }, b: { p: 2 } }, duplicates: [] },
};

const read = (text: string) => readYaml(Buffer.from(text));

describe('a body in YAML', () => {
  it.each(recorded.filter(({ yaml }) => !(yaml in OTHERWISE)))(
    '$yaml is what Kubernetes reads',
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

  it.each(Object.entries(OTHERWISE))('%j is read otherwise', async (text, ours) => {
    if (typeof ours === 'string') {
      await expect(read(text)).rejects.toThrow(ours);
    } else {
      expect(await read(text)).toMatchObject(ours);
    }
  });

  it('has keys like __proto__ as its own', async () => {
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
  ])('of %s is refused', async (_, body) => {
    await expect(readYaml(Buffer.from(body))).rejects.toThrow(EncodingError);
  });

  it('of more than 1 MiB is refused unread', async () => {
    await expect(readYaml(new Uint8Array(2 ** 20 + 1))).rejects.toThrow(TooLargeError);
  });
});

/** Nine times the anchor before. */
function aliases(key: string): string {
  const before = String.fromCharCode(key.charCodeAt(0) - 1);
  return Array.from({ length: 9 }, () => `*${before}`).join(',');
}
