import { describe, expect, it } from '@jest/globals';
import { parsePrincipal } from '../../../lib/login/index.ts';

const iam = (resource: string) => `arn:aws:iam::111122223333:${resource}`;
const sts = (resource: string) => `arn:aws:sts::111122223333:${resource}`;

describe('The principal of an ARN', () => {
  it.each([
    [iam('user/alice'), iam('user/alice')],
    [iam('user/team/a/alice'), iam('user/team/a/alice')],
    [iam('root'), iam('root')],
    [iam('role/Admin'), iam('role/Admin')],
    [iam('role/aws-reserved/sso.amazonaws.com/AWSReservedSSO_A_1'), iam('role/AWSReservedSSO_A_1')],
    [sts('assumed-role/Admin/alice@example.com'), iam('role/Admin')],
    [sts('federated-user/alice'), sts('federated-user/alice')],
    ['arn:aws-us-gov:sts::111122223333:assumed-role/A/b', 'arn:aws-us-gov:iam::111122223333:role/A'],
  ])('The ARN %s is the principal %s', (text, arn) => {
    expect(parsePrincipal(text)).toMatchObject({ arn, account: '111122223333' });
  });

  it('The session name is kept separately', () => {
    expect(parsePrincipal(sts('assumed-role/Admin/alice'))).toEqual({
      arn: iam('role/Admin'),
      partition: 'aws',
      account: '111122223333',
      session: 'alice',
    });
  });

  it.each([
    '',
    '*',
    iam('*'),
    iam('role/*'),
    iam('user/'),
    iam('role/'),
    iam('group/admins'),
    iam('assumed-role/Admin/alice'),
    sts('role/Admin'),
    sts('assumed-role/Admin'),
    sts('assumed-role/Admin/alice/more'),
    sts('assumed-role/Admin/al ice'),
    'arn:aws:iam::1111:role/Admin',
    'arn:aws:iam:eu-west-1:111122223333:role/Admin',
    'arn:other:iam::111122223333:role/Admin',
    `${iam('role/Admin')}\n`,
  ])('The ARN %j is no principal', (text) => {
    expect(parsePrincipal(text)).toBeUndefined();
  });
});
