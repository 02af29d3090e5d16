import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { explainStatus } from '../../../cli/connection/explain-status.ts';
import { RUNBOOK_HEADINGS } from '../../../cli/connection/fault.ts';

const explain = (status: number, text = '', message?: string) =>
  explainStatus({ status, text, body: message === undefined ? undefined : { message } }, 'GET /version');

describe('The explanation of a refusal', () => {
  it.each([
    [401, 'the login is not accepted', 'logging-in-does-not-work'],
    [403, 'the login does not have the permission for this request', undefined],
    [404, 'the endpoint does not know a path that every Winnow serves', undefined],
    [429, 'the endpoint receives more requests than it can serve', 'requests-are-answered-with-429'],
    [500, 'the endpoint failed', 'look'],
    [503, 'the endpoint failed', 'look'],
    [504, 'the request timed out in the endpoint', 'requests-are-answered-with-504'],
    [422, 'the endpoint refused a valid request', undefined],
  ])('%d', (status, what, runbook) => {
    const fault = explain(status, '', 'so it is');
    expect(fault.message).toBe(`${what} (GET /version: ${status} so it is)`);
    expect(fault.runbook).toBe(runbook);
  });

  it('Explains 403 for a principal without permissions', () => {
    const said = 'forbidden: User "arn:aws:iam::1:user/a" may not log in to this deployment';
    const fault = explain(403, '', said);
    expect(fault.message).toContain('the login is valid, but this deployment does not let it in');
    expect(fault.runbook).toBe('logging-in-does-not-work');
  });

  it('An answer that is no Status is printed as it is', () => {
    expect(explain(502, 'Bad Gateway').message).toBe('the endpoint failed (GET /version: 502 Bad Gateway)');
  });
});

it('Every heading that an explanation refers to exists in the runbook', async () => {
  const runbook = await readFile(join(import.meta.dirname, '../../../docs/runbook.md'), 'utf8');
  const headings = [...runbook.matchAll(/^#+ (.+)$/gm)].map(([, text = '']) =>
    text.toLowerCase().replaceAll(' ', '-'),
  );
  expect(headings).toEqual(expect.arrayContaining([...RUNBOOK_HEADINGS]));
});
