import { describe, expect, it } from '@jest/globals';
import { scaledErrors, scaledStatusErrors } from '../../../../lib/kubernetes/schemas/index.ts';

const PATHS = { replicas: 'spec.replicas', observed: 'status.replicas', selector: 'status.selector' };

const told = (errors: ReturnType<typeof scaledErrors>) =>
  errors.map(({ field, detail }) => `${field} ${detail}`);

describe('values that /scale cannot show', () => {
  it.each([
    [{}, []],
    [{ spec: { replicas: 3 }, status: { replicas: 2, selector: 'a=b' } }, []],
    [
      { spec: { replicas: 1.5 } },
      ['.spec.replicas .spec.replicas accessor error: 1.5 is of the type float64, expected int64'],
    ],
    [
      { spec: { replicas: null } },
      ['.spec.replicas .spec.replicas accessor error: <nil> is of the type <nil>, expected int64'],
    ],
    [
      { spec: [1] },
      [
        '.spec.replicas .spec accessor error: [1] is of the type []interface {}, expected map[string]interface {}',
      ],
    ],
    [{ spec: { replicas: -1 } }, ['.spec.replicas should be a non-negative integer']],
    [{ spec: { replicas: 2 ** 31 } }, ['.spec.replicas should be less than or equal to 2147483647']],
    [
      { status: { replicas: 'x' } },
      ['.status.replicas .status.replicas accessor error: x is of the type string, expected int64'],
    ],
    [
      { status: { selector: {} } },
      [
        '.status.selector .status.selector accessor error: map[] is of the type map[string]interface {}, expected string',
      ],
    ],
  ])('scaledErrors refuses the invalid replicas or selector of %j', (body, errors) => {
    expect(told(scaledErrors(PATHS, body))).toEqual(errors);
  });

  it('scaledErrors refuses nothing if the kind has no /scale', () => {
    expect(scaledErrors(undefined, { spec: { replicas: 'x' } })).toEqual([]);
  });

  it('scaledStatusErrors does not check the spec', () => {
    expect(scaledStatusErrors(PATHS, { spec: { replicas: -1 }, status: { replicas: -1 } })).toMatchObject([
      { field: '.status.replicas', value: -1 },
    ]);
  });
});
