import { describe, expect, it } from '@jest/globals';
import { createResolver, type Physical } from '../../../infra/local/intrinsics.ts';
import { failures } from '../../../infra/local/queue-source.ts';

describe('the intrinsic functions of CloudFormation', () => {
  const physical = new Map<string, Physical>([
    ['Queue', { ref: 'http://queue', attributes: { Arn: 'arn:aws:sqs:r:a:queue' } }],
    ['AWS::Region', { ref: 'r', attributes: {} }],
  ]);
  const resolve = createResolver(physical);

  it.each([
    [{ Ref: 'Queue' }, 'http://queue'],
    [{ 'Fn::GetAtt': ['Queue', 'Arn'] }, 'arn:aws:sqs:r:a:queue'],
    [{ 'Fn::Join': ['-', ['a', { Ref: 'AWS::Region' }]] }, 'a-r'],
    [{ 'Fn::Select': [3, { 'Fn::Split': [':', { 'Fn::GetAtt': ['Queue', 'Arn'] }] }] }, 'r'],
    [{ a: [{ b: { Ref: 'AWS::Region' } }, 1, null] }, { a: [{ b: 'r' }, 1, null] }],
  ])('the intrinsic function %j is evaluated', (value, expected) => {
    expect(resolve(value)).toEqual(expected);
  });

  it.each([
    [{ Ref: 'Nothing' }],
    [{ 'Fn::GetAtt': ['Queue', 'Nothing'] }],
    [{ 'Fn::ImportValue': ['x', 'y'] }],
  ])('the intrinsic function %j is refused', (value) => {
    expect(() => resolve(value)).toThrow(/Nothing|ImportValue/);
  });
});

describe('the failed messages of a batch', () => {
  const source = {
    functionName: 'dispatch',
    queueUrl: '',
    queueArn: '',
    batchSize: 10,
    reportsFailures: true,
  } as const;
  const [a, b] = [{ MessageId: 'a' }, { MessageId: 'b' }];
  const failed = (...ids: string[]) => ({
    batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })),
  });

  it.each([
    ['none without a result', undefined, []],
    ['none by an empty list', failed(), []],
    ['those that were named', failed('b'), [b]],
    ['all when an unknown one was named', failed('b', 'c'), [a, b]],
    ['all when an empty one was named', failed(''), [a, b]],
  ])('the failed messages are %s', (_case, result, expected) => {
    expect(failures(result, [a, b], source)).toEqual(expected);
  });

  it('no message counts as failed if the source does not report failures', () => {
    expect(failures(failed('a'), [a, b], { ...source, reportsFailures: false })).toEqual([]);
  });
});
