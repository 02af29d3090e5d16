import { expect, it } from '@jest/globals';
import { execEntry } from '../../../lib/login/index.ts';

it('The exec entry of a kubeconfig is the one that `aws eks update-kubeconfig` writes', () => {
  expect(execEntry({ clusterId: 'winnow-abc', region: 'eu-west-1' })).toEqual({
    apiVersion: 'client.authentication.k8s.io/v1beta1',
    command: 'aws',
    args: ['--region', 'eu-west-1', 'eks', 'get-token', '--cluster-name', 'winnow-abc', '--output', 'json'],
    interactiveMode: 'IfAvailable',
    provideClusterInfo: false,
  });
});

it('The exec entry names the profile of the AWS CLI if there is one', () => {
  const entry = execEntry({ clusterId: 'winnow-abc', region: 'eu-west-1', profile: 'work' });
  expect(entry.env).toEqual([{ name: 'AWS_PROFILE', value: 'work' }]);
});
