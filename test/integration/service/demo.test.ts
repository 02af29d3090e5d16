import { describe, expect, it } from '@jest/globals';
import type { Run } from '../../support/service/run-cli.ts';
import { demo } from '../../support/service/run-demo.ts';

const WITHIN = 90_000;

const matches = (run: Run, pattern: RegExp) => run.out.match(pattern)?.length ?? 0;

describe('The program npm run demo', () => {
  it(
    'npm run demo shows the main features, and every response is right',
    async () => {
      const run = await demo();
      expect({ code: run.code, wrong: matches(run, /WRONG/g) }).toEqual({ code: 0, wrong: 0 });
      expect(run.out).toContain('Every answer was correct');
      expect(run.out).toContain("kubectl get pods -l 'partition in (customerA, customerB),environment!=qa'");
      expect(run.out).toContain(
        'labelSelector=environment+in+%28production%2Cqa%29%2Ctier+in+%28frontend%29',
      );
      for (const type of ['ADDED', 'MODIFIED', 'DELETED']) expect(run.out).toContain(`<- ${type}`);
      expect(matches(run, / ok$/gm)).toBeGreaterThan(20);
      expect(run.errors).not.toContain('wrong');
    },
    WITHIN,
  );

  it(
    'npm run demo fails for an unknown option and names it',
    async () => {
      const { code, errors } = await demo('--sellector', 'a');
      expect(code).toBe(2);
      expect(errors).toContain('--sellector');
    },
    WITHIN,
  );
});
