import { describe, expect, it } from '@jest/globals';
import { App } from 'aws-cdk-lib';
import { readSettings } from '../../../infra/settings.ts';

const settings = (context: Record<string, unknown> = {}) => readSettings(new App({ context }).node);

describe('the context', () => {
  it('is safe when nothing is said', () => {
    expect(settings()).toEqual({
      stackName: 'Winnow',
      prefix: 'winnow',
      streaming: true,
      principals: undefined,
      emulator: undefined,
      stsEndpoint: undefined,
      destroyable: false,
      dashboard: true,
    });
  });

  it('is read from the command line', () => {
    const arns = ['arn:aws:iam::111122223333:role/A', 'arn:aws:iam::111122223333:user/b'];
    expect(
      settings({ stackName: 'Other', streaming: 'false', destroyable: 'true', principals: arns.join(', ') }),
    ).toMatchObject({
      stackName: 'Other',
      prefix: 'other',
      streaming: false,
      destroyable: true,
      principals: arns,
    });
  });

  it('is read from cdk.json', () => {
    expect(settings({ destroyable: true, principals: ['arn:aws:iam::111122223333:role/A'] })).toMatchObject({
      destroyable: true,
      principals: ['arn:aws:iam::111122223333:role/A'],
    });
  });

  it('names nobody where the list is empty, which is not whoever deploys', () => {
    expect(settings({ principals: '' }).principals).toEqual([]);
  });

  it.each([
    ['destroyable', 'yes'],
    ['destroyable', ''],
    ['dashboard', 'off'],
    ['streaming', 'no'],
    ['stsEndpoint', ''],
    ['stsEndpoint', true],
    ['prefix', ''],
  ])('with %s=%j is refused', (name, value) => {
    expect(() => settings({ [name]: value })).toThrow(name);
  });
});
