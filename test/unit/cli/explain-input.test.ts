import { describe, expect, it } from '@jest/globals';
import { explainInput } from '../../../cli/connection/index.ts';

const explain = (status: number, body?: object) =>
  explainInput({ status, text: '<html>', body: body as never }, 'GET /api/v1/pods').message;

describe('the error for a request that contains what the user typed', () => {
  it.each([400, 422])('is the message of a Status %d', (status) => {
    expect(explain(status, { kind: 'Status', message: 'facets: "a b" is not a valid label key' })).toBe(
      'facets: "a b" is not a valid label key',
    );
  });

  it('is the message of a Status 404 about an object', () => {
    const body = { kind: 'Status', message: 'pods "nope" not found', details: { name: 'nope' } };
    expect(explain(404, body)).toBe('pods "nope" not found');
  });

  it.each([
    [404, { kind: 'Status', message: 'the server could not find the requested resource', details: {} }],
    [404, undefined],
    [400, undefined],
    [403, { kind: 'Status', message: 'pods is forbidden' }],
    [500, { kind: 'Status', message: 'Internal error' }],
  ])('names the request if the answer %d is %j', (status, body) => {
    expect(explain(status, body)).toContain('(GET /api/v1/pods: ');
  });
});
