import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parse } from 'yaml';
import type { JsonValue } from '../../../../lib/json/index.ts';
import { readYaml, writeYaml } from '../../../../lib/kubernetes/encodings/index.ts';

/** Strings that some YAML reader takes for another value if they are not quoted. */
const AMBIGUOUS =
  'y n on off yes NO ~ null Null .inf .nan = << --- ... - ? : | > 0o17 017 0x1F 0b1 1_000 1e3 1:20 2001-12-14 # *a &a !a %a @a `a'.split(
    ' ',
  );

describe('a response in YAML', () => {
  it('writeYaml writes in the style of Kubernetes', async () => {
    const object = {
      kind: 'ConfigMap',
      data: { c: 'x\ny', b: 'yes', a: '1' },
      metadata: { creationTimestamp: '2026-01-01T00:00:00Z', finalizers: ['a/b'], labels: {} },
    };
    expect(await writeYaml(object)).toBe(
      [
        'data:',
        '  a: "1"',
        '  b: "yes"',
        '  c: |-',
        '    x',
        '    y',
        'kind: ConfigMap',
        'metadata:',
        '  creationTimestamp: "2026-01-01T00:00:00Z"',
        '  finalizers:',
        '  - a/b',
        '  labels: {}',
        '',
      ].join('\n'),
    );
  });

  it('writeYaml writes any object so that YAML 1.1 and YAML 1.2 readers read it back unchanged', async () => {
    const text = fc.oneof(fc.constantFrom(...AMBIGUOUS), fc.string({ unit: 'binary' }), fc.string());
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        text,
        fc.constantFrom(null, true, false),
        fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
        fc.array(tie('any'), { maxLength: 3 }),
        fc.dictionary(text, tie('any'), { maxKeys: 3 }),
      ),
    })).any;
    await fc.assert(
      fc.asyncProperty(fc.dictionary(text, value, { maxKeys: 4 }), async (object) => {
        const wanted: JsonValue = JSON.parse(JSON.stringify(object));
        const yaml = await writeYaml(wanted);
        expect((await readYaml(Buffer.from(yaml))).value).toEqual(wanted);
        expect(parse(yaml)).toEqual(wanted);
      }),
      { numRuns: 100 },
    );
  });
});
