import { describe, expect, it } from '@jest/globals';
import type { Run } from '../../support/service/run-cli.ts';
import { demo } from '../../support/service/run-demo.ts';

const WITHIN = 90_000;

const matches = (run: Run, pattern: RegExp) => run.out.match(pattern)?.length ?? 0;

describe('The program npm run demo', () => {
  it(
    'The demo leads a newcomer through the main job, and every answer is right',
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
    'The demo refuses an unknown option with a message',
    async () => {
      const { code, errors } = await demo('--sellector', 'a');
      expect(code).toBe(2);
      expect(errors).toContain('--sellector');
    },
    WITHIN,
  );
});
