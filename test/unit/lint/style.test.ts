import { beforeAll, describe, expect, it } from '@jest/globals';
import { lint } from './lint-fixture.ts';

const SPREAD = 'a spread literal is not checked';
const BRACES = 'Braces, unless the whole statement';
const LONG = `'${'x'.repeat(100)}'`;

/** A body of the function `a`, with a part of the lint message; '' if lint reports nothing about style. */
const BODIES: readonly (readonly [body: string, says: string])[] = [
  ['return { ...{ a } };', SPREAD],
  ['return { ...a, ...(a ? { b: 1 } : {}) };', ''],
  [`if (a)\n    return ${LONG};\n  return a;`, BRACES],
  ['if (a) b();\n  else c();', BRACES],
  ['if (a) {\n    b();\n  } else c();', BRACES],
  [`for (const x of a)\n    b(${LONG}, x);`, BRACES],
  [`while (a)\n    b(${LONG});`, BRACES],
  ['if (a) return b();\n  return c();', ''],
  ['for (const x of a) b(x);', ''],
  ['if (a) {\n    b();\n  } else if (c) {\n    d();\n  } else {\n    e();\n  }', ''],
];

describe('the lint rules of style', () => {
  let said: Map<string, string>;

  beforeAll(async () => {
    const files = BODIES.map(([body], at) => {
      return { path: `lib/store/s${at}.ts`, text: `export function s${at}(a) {\n  ${body}\n}\n` };
    });
    said = await lint(files);
  });

  it.each(BODIES.map(([body, says], at) => ({ body, says, path: `lib/store/s${at}.ts` })))(
    'Lint reports for $body: "$says"',
    ({ says, path }) => {
      const told = said.get(path) ?? '';
      expect([SPREAD, BRACES].filter((rule) => told.includes(rule))).toEqual(says === '' ? [] : [says]);
    },
  );
});
