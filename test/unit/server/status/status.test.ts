import { describe, expect, it } from '@jest/globals';
import {
  type ApiError,
  alreadyExists,
  conflict,
  failureStatus,
  forbidden,
  invalid,
  modified,
  noSuchPath,
  notFound,
  successStatus,
  tooManyRequests,
  versionAhead,
} from '../../../../lib/server/status/status.ts';

const PODS = { group: '', resource: 'pods' };
const WIDGETS = { group: 'demo.example.io', resource: 'widgets' };
const NAME_ERROR = {
  type: 'Invalid',
  field: 'metadata.name',
  value: 'A',
  detail: 'must be lower case',
} as const;
const LABEL_ERROR = { type: 'Required', field: 'spec.x', detail: 'say it' } as const;

describe('The Status of an error', () => {
  it.each<[ApiError, number, string, string]>([
    [notFound(PODS, 'x'), 404, 'NotFound', 'pods "x" not found'],
    [alreadyExists(WIDGETS, 'w1'), 409, 'AlreadyExists', 'widgets.demo.example.io "w1" already exists'],
    [conflict(PODS, 'x', 'why'), 409, 'Conflict', 'Operation cannot be fulfilled on pods "x": why'],
    [
      modified(PODS, 'x'),
      409,
      'Conflict',
      'Operation cannot be fulfilled on pods "x": the object has been modified; please apply your changes to the latest version and try again',
    ],
    [forbidden(PODS, 'x', 'why'), 403, 'Forbidden', 'pods "x" is forbidden: why'],
    [
      invalid({ group: '', kind: 'Pod' }, 'x', [NAME_ERROR]),
      422,
      'Invalid',
      'Pod "x" is invalid: metadata.name: Invalid value: "A": must be lower case',
    ],
    [
      invalid({ group: 'apps', kind: 'Deployment' }, 'x', [NAME_ERROR, LABEL_ERROR]),
      422,
      'Invalid',
      'Deployment.apps "x" is invalid: [metadata.name: Invalid value: "A": must be lower case, spec.x: Required value: say it]',
    ],
    [noSuchPath(), 404, 'NotFound', 'the server could not find the requested resource'],
  ])('reads as Kubernetes writes it (%#)', (error, code, reason, message) => {
    expect(failureStatus(error)).toMatchObject({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      code,
      reason,
      message,
    });
  });

  it('A Status has the plural, the group and the object in its details', () => {
    expect(failureStatus(notFound(WIDGETS, 'w1')).details).toEqual({
      name: 'w1',
      group: 'demo.example.io',
      kind: 'widgets',
    });
    expect(failureStatus(notFound(PODS, 'x')).details).toEqual({ name: 'x', kind: 'pods' });
  });

  it('A Status has one cause for each field, without the field in the message', () => {
    const { details } = invalid({ group: '', kind: 'Pod' }, 'x', [NAME_ERROR, LABEL_ERROR]);
    expect(details.causes).toEqual([
      {
        reason: 'FieldValueInvalid',
        message: 'Invalid value: "A": must be lower case',
        field: 'metadata.name',
      },
      { reason: 'FieldValueRequired', message: 'Required value: say it', field: 'spec.x' },
    ]);
  });

  it('A Status has the retry time', () => {
    expect(tooManyRequests('busy').details.retryAfterSeconds).toBe(1);
    expect(versionAhead().details).toMatchObject({
      retryAfterSeconds: 1,
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    });
  });
});

it('A Status of success names its object', () => {
  expect(successStatus({ name: 'x', kind: 'pods', group: undefined, uid: 'u' })).toEqual({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { name: 'x', kind: 'pods', uid: 'u' },
  });
});
