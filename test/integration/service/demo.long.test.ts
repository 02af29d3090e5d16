import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Run } from '../../support/service/run-cli.ts';
import { demo } from '../../support/service/run-demo.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures');
const WITHIN = 90_000;

const OWN_OBJECTS = `
apiVersion: v1
kind: Namespace
metadata: { name: mine, labels: { app: web } }
---
apiVersion: v1
kind: Pod
metadata: { name: web-1, namespace: mine, labels: { app: web, tier: frontend } }
spec: { containers: [{ name: web, image: web }] }
---
apiVersion: v1
kind: Pod
metadata: { name: web-2, namespace: mine, labels: { app: web } }
spec: { containers: [{ name: web, image: web }] }
---
apiVersion: v1
kind: Pod
metadata: { name: job-1, namespace: mine, labels: { app: job } }
spec: { containers: [{ name: web, image: web }] }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: mine, labels: { app: web, tier: cache } }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: web }] }
`;

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'winnow-demo-'));
});

afterAll(() => rm(directory, { recursive: true, force: true }));

const matches = (run: Run, pattern: RegExp) => run.out.match(pattern)?.length ?? 0;

describe('npm run demo', () => {
  it(
    'npm run demo -f uses the user’s YAML, and a selector lists the same set that a queue receives',
    async () => {
      const file = join(directory, 'own.yaml');
      await writeFile(file, OWN_OBJECTS);
      const run = await demo('-f', file, '--selector', 'app in (web),tier!=cache');
      expect(run.errors).not.toContain('wrong');
      expect(run.code).toBe(0);
      for (const line of ['namespace/mine created', 'pod/web-1 created', 'deployment/web created']) {
        expect(run.out).toContain(line);
      }
      expect(run.out).toContain('web-1 web-2');
      const sets = [...run.out.matchAll(/(\d+) objects on the queue, the same set ok/g)].map(
        ([, count]) => count,
      );
      expect(sets).toEqual(['1', '2', '0']);
    },
    WITHIN,
  );

  it(
    'npm run demo fails if a response is wrong',
    async () => {
      const fixtures = join(directory, 'fixtures');
      await cp(FIXTURES, fixtures, { recursive: true });
      const pods = join(fixtures, 'pods.yaml');
      const changed = (await readFile(pods, 'utf8')).replaceAll('customerB', 'customerC');
      await writeFile(pods, changed);
      const run = await demo('--fixtures', fixtures);
      expect(run.code).toBe(1);
      expect(matches(run, /WRONG, expected /g)).toBeGreaterThan(0);
      expect(run.errors).toMatch(/\d+ answers were wrong/);
      expect(run.out).not.toContain('Every answer was correct');
    },
    WITHIN,
  );

  it.each([
    ['a file that is not there', ['-f', 'nowhere.yaml'], 'nowhere.yaml'],
    [
      'a selector that is none',
      ['-f', join(FIXTURES, 'nodes.yaml'), '-l', 'a in b'],
      "found 'b' expected: '('",
    ],
  ])(
    'npm run demo fails for %s with a clear message',
    async (_, parameters, says) => {
      const { code, errors } = await demo(...parameters);
      expect(code).toBe(1);
      expect(errors).toContain(says);
    },
    WITHIN,
  );
});

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
