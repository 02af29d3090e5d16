import { describe, expect, it } from '@jest/globals';
import { TooLargeError } from '../../../../lib/json/index.ts';
import { silentLogger } from '../../../../lib/platform/index.ts';
import { SelectorError } from '../../../../lib/selectors/index.ts';
import { mapError } from '../../../../lib/server/status/map-error.ts';
import { notFound } from '../../../../lib/server/status/status.ts';
import {
  ContentionError,
  FutureVersionError,
  GoneError,
  LabelLimitError,
  OutOfTimeError,
  ThrottledError,
  UnavailableError,
  UndecidedError,
  UnknownSchemaError,
} from '../../../../lib/store/index.ts';

const type = { group: 'apps', kind: 'Deployment' };

describe('The Status of every error below the API', () => {
  it.each([
    [new GoneError('too old resource version: 3 (9)'), 410, 'Expired', undefined],
    [new FutureVersionError(9, 3), 504, 'Timeout', 1],
    [
      new TooLargeError('the object', 900_000, { limit: 786_432, unit: 'bytes' }),
      413,
      'RequestEntityTooLarge',
      undefined,
    ],
    [new LabelLimitError('too many labels'), 422, 'Invalid', undefined],
    [new ContentionError('busy'), 429, 'TooManyRequests', 1],
    [new ThrottledError('slow down'), 429, 'TooManyRequests', 1],
    [new UnavailableError('no answer'), 429, 'TooManyRequests', 1],
    // Clients that repeat a create by themselves would find their own object.
    [new UndecidedError('it may have been applied'), 504, 'Timeout', undefined],
    [new OutOfTimeError('nothing was written'), 504, 'Timeout', undefined],
    [new UnknownSchemaError(2, { oldest: 1, newest: 1 }), 503, 'ServiceUnavailable', undefined],
    [new SelectorError('unable to parse requirement'), 400, 'BadRequest', undefined],
    [notFound({ group: '', resource: 'pods' }, 'x'), 404, 'NotFound', undefined],
  ])('%s', (error, code, reason, retryAfterSeconds) => {
    const mapped = mapError(error, { logger: silentLogger, type, name: 'x' });
    expect({ code: mapped.code, reason: mapped.reason }).toEqual({ code, reason });
    expect(mapped.details.retryAfterSeconds).toBe(retryAfterSeconds);
  });
});

describe('The content of a Status', () => {
  const context = { logger: silentLogger, type, name: 'x' };

  it('The Status has the size of the oversized object', () => {
    expect(
      mapError(new TooLargeError('the object', 900_000, { limit: 786_432, unit: 'bytes' }), context).message,
    ).toContain('900000');
  });

  it('The Status says what is known about a write that timed out', () => {
    expect(mapError(new UndecidedError('it may have been applied'), context).message).toBe(
      'Timeout: request did not complete within the allotted timeout: it may have been applied',
    );
  });

  it('The Status names the field with too many labels', () => {
    const { message, details } = mapError(new LabelLimitError('120 labels'), context);
    expect(message).toBe('Deployment.apps "x" is invalid: metadata.labels: Too many: 120 labels');
    expect(details.causes?.[0]?.field).toBe('metadata.labels');
  });

  it('The Status says that a resourceVersion is ahead', () => {
    const { message, details } = mapError(new FutureVersionError(9, 3), context);
    expect(message).toContain('Too large resource version: 9, current: 3');
    expect(details.causes?.[0]?.reason).toBe('ResourceVersionTooLarge');
  });
});

it('A failure of the table is logged with its cause', () => {
  const logged: unknown[] = [];
  const logger = { ...silentLogger, warn: (_message: string, data?: unknown) => logged.push(data) };
  const error = new UnavailableError('the table did not answer', { cause: new Error('ECONNRESET') });
  mapError(error, { logger });
  mapError(new TooLargeError('the object', 2, { limit: 1, unit: 'bytes' }), { logger });
  expect(logged).toEqual([{ error }]);
});

it('An unknown error is logged, and the Status reveals nothing', () => {
  const logged: unknown[] = [];
  const logger = { ...silentLogger, error: (_message: string, data?: unknown) => logged.push(data) };
  const error = new Error('AccessDenied on arn:aws:dynamodb:table/secret');
  const mapped = mapError(error, { logger });
  expect(logged).toEqual([{ error }]);
  expect(mapped.code).toBe(500);
  expect(mapped.reason).toBe('InternalError');
  expect(mapped.message).not.toContain('arn');
  expect(mapped.message).not.toContain('write');
  expect(mapError(error, { logger, writes: true }).message).toContain('the write may have been applied');
});
