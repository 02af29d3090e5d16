import { stripTypeScriptTypes } from 'node:module';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { instrument } from '../../mutants/instrument.ts';
import { mutantsOf } from '../../mutants/mutants-of.ts';
import { EndlessError, MutantSwitch } from '../../mutants/switch.ts';
import { mutatedFiles, sourceOf } from '../../mutants/targets.ts';

const outside = globalThis as { winnowMutants?: MutantSwitch };
const FILE = 'lib/x.ts';
let mutants: MutantSwitch;

beforeEach(() => {
  mutants = new MutantSwitch();
  outside.winnowMutants = mutants;
});

afterEach(() => {
  delete outside.winnowMutants;
});

type Loaded = (...given: unknown[]) => unknown;

/** The result of the function `f` of a source that contains its mutants. */
function load(source: string): Loaded {
  return new Function(`${instrument(FILE, source)}\nreturn f;`)();
}

const idsOf = (source: string) => mutantsOf(FILE, source).flatMap((site) => site.mutants.map(({ id }) => id));

describe('instrumented code', () => {
  const nested = 'function f(a, b) { if (a > 1 && b !== 2) return a + 1; return b ?? a; }';

  it('The code behaves as before while no mutant is active, and reports what it reached', () => {
    const f = load(nested);
    expect([f(2, 1), f(1, 1), f(2, undefined)]).toEqual([3, 1, 3]);
    expect(mutants.met().sort()).toEqual(idsOf(nested).sort());
  });

  it.each([
    ['boundary: a > 1', [1, 1], 2],
    ['and/or', [1, 1], 2],
    ['early end dropped', [2, 1], 1],
    ['off by one', [2, 1], 2],
    ['default dropped', [1, undefined], undefined],
  ])('The code behaves differently with an active mutant: %s', (part, given, result) => {
    const f = load(nested);
    const id = idsOf(nested).find((one) => one.includes(part));
    mutants.turn(id);
    expect(f(...given)).toEqual(result);
  });

  it('The code runs swapped steps in their order, with their declarations', async () => {
    const source =
      'async function f(log) { const { x = 1 } = await log("x"); const y = await log("y"); await log("z"); return [x, y]; }';
    const f = load(source);
    const order = async (id?: string) => {
      const seen: unknown[] = [];
      mutants.turn(id);
      const result = await f(async (name: string) => {
        seen.push(name);
        return name;
      });
      return [seen.join(''), result];
    };
    expect(await order()).toEqual(['xyz', [1, 'y']]);
    const swaps = idsOf(source).filter((id) => id.includes('steps swapped'));
    expect(swaps).toHaveLength(2);
    expect(await order(swaps[0])).toEqual(['yxz', [1, 'y']]);
    expect(await order(swaps[1])).toEqual(['xzy', [1, 'y']]);
  });

  it('The code stops in an endless loop', () => {
    const f = load('function f(a) { while (a < 1) a -= 1; }');
    mutants.turn(undefined, 1_000);
    expect(() => f(0)).toThrow(EndlessError);
    expect(mutants.isEndless).toBe(true);
  });

  it('The code is valid for every file whose mutants are tried', async () => {
    for (const file of await mutatedFiles()) {
      const text = instrument(file, sourceOf(file));
      expect(() => stripTypeScriptTypes(text)).not.toThrow();
    }
  });
});
