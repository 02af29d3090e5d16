import { describe, expect, it } from '@jest/globals';
import type { CloudFormationCustomResourceResponse } from 'aws-lambda';
import { createSettingsGuard, type SettingsEvent } from '../../../../functions/guarding/index.ts';
import { silentLogger } from '../../../../lib/platform/index.ts';

const STACK = 'arn:aws:cloudformation:eu-central-1:111122223333:stack/Winnow/0a1b2c3d';
const [ALICE, BOB] = ['arn:aws:iam::111122223333:role/Alice', 'arn:aws:iam::111122223333:role/Bob'];

/** The settings as CloudFormation sends them: every value is text. */
const PLAIN = {
  ServiceToken: 'arn:aws:lambda:eu-central-1:111122223333:function:guard',
  ServiceTimeout: '300',
  table: 'StorageSlotted3EB6A636',
  tableStream: '',
  destroyable: 'false',
  prefix: 'winnow',
  principals: [ALICE],
  key: '',
  serviceAccountTokens: 'false',
  auditPolicy: '',
  auditQueue: '',
};
const KEYED = { ...PLAIN, key: 'managed' };

function eventOf(
  RequestType: 'Create' | 'Update' | 'Delete',
  ResourceProperties: object,
  OldResourceProperties?: object,
): SettingsEvent {
  return {
    RequestType,
    ServiceToken: PLAIN.ServiceToken,
    ResponseURL: 'https://cloudformation-custom-resource-response.example/answer',
    StackId: STACK,
    RequestId: 'request-1',
    LogicalResourceId: 'WinnowSettings',
    ResourceType: 'Custom::WinnowSettings',
    ...(RequestType !== 'Create' && { PhysicalResourceId: 'winnow-settings' }),
    ResourceProperties,
    ...(OldResourceProperties && { OldResourceProperties }),
  } as SettingsEvent;
}

/** The answer of the guard while the stack has the given status. */
async function answerTo(
  event: SettingsEvent,
  stackStatus: () => Promise<string> = async () => 'UPDATE_IN_PROGRESS',
): Promise<CloudFormationCustomResourceResponse> {
  const answers: (readonly [string, CloudFormationCustomResourceResponse])[] = [];
  const asked: string[] = [];
  const guard = createSettingsGuard({
    logger: silentLogger,
    stackStatus: (stackId) => {
      asked.push(stackId);
      return stackStatus();
    },
    respond: async (url, answer) => void answers.push([url, answer]),
  });
  await guard(event);
  expect(answers.map(([url]) => url)).toEqual([event.ResponseURL]);
  expect(asked.filter((stackId) => stackId !== STACK)).toEqual([]);
  const [[, answer] = []] = answers;
  if (answer === undefined) throw new Error('no answer');
  return answer;
}

const ANSWER = {
  PhysicalResourceId: 'winnow-settings',
  StackId: STACK,
  RequestId: 'request-1',
  LogicalResourceId: 'WinnowSettings',
};

describe('The guard of settings', () => {
  it('The guard allows stacks to be created and deleted, whatever their settings are', async () => {
    await expect(answerTo(eventOf('Create', PLAIN))).resolves.toEqual({ ...ANSWER, Status: 'SUCCESS' });
    await expect(answerTo(eventOf('Delete', KEYED))).resolves.toEqual({ ...ANSWER, Status: 'SUCCESS' });
  });

  it('The guard allows an update that loses nothing, and does not request the status of the stack', async () => {
    const ask = async () => {
      throw new Error('asked');
    };
    const answer = await answerTo(eventOf('Update', KEYED, PLAIN), ask);
    expect(answer).toEqual({ ...ANSWER, Status: 'SUCCESS' });
  });

  it('The guard refuses an update that drops the key, and says how to allow it', async () => {
    const answer = await answerTo(eventOf('Update', PLAIN, KEYED));
    expect(answer).toMatchObject({ ...ANSWER, Status: 'FAILED' });
    expect(answer.Reason).toContain('key: it is managed, and would be a key of AWS');
    expect(answer.Reason).toContain('nothing was changed');
    expect(answer.Reason).toContain('-c confirmChange=key ');
  });

  it('The guard names every setting at once, and accepts a confirmation of all', async () => {
    const before = { ...KEYED, principals: [ALICE, BOB], auditPolicy: 'on' };
    const { Reason } = await answerTo(eventOf('Update', PLAIN, before));
    expect(Reason).toContain('-c confirmChange=principals,key,auditPolicy ');
    expect(Reason).toContain(`${BOB} would no longer be an administrator`);
    const confirmed = { ...PLAIN, confirmChange: ['principals', 'key', 'auditPolicy'] };
    await expect(answerTo(eventOf('Update', confirmed, before))).resolves.toMatchObject({
      Status: 'SUCCESS',
    });
  });

  it('The guard does not apply a confirmation of an earlier deployment to this one', async () => {
    const before = { ...KEYED, confirmChange: ['key'] };
    await expect(answerTo(eventOf('Update', PLAIN, before))).resolves.toMatchObject({ Status: 'FAILED' });
  });

  it.each(['UPDATE_ROLLBACK_IN_PROGRESS', 'ROLLBACK_IN_PROGRESS'])(
    'The guard allows a rollback to restore the old settings: the status is %s',
    async (status) => {
      const answer = await answerTo(eventOf('Update', PLAIN, KEYED), async () => status);
      expect(answer).toEqual({ ...ANSWER, Status: 'SUCCESS' });
    },
  );

  it('The guard refuses a change in both directions, and allows its rollback', async () => {
    const other = { ...PLAIN, principals: [BOB] };
    await expect(answerTo(eventOf('Update', other, PLAIN))).resolves.toMatchObject({ Status: 'FAILED' });
    const rollback = eventOf('Update', PLAIN, other);
    await expect(answerTo(rollback, async () => 'UPDATE_ROLLBACK_IN_PROGRESS')).resolves.toMatchObject({
      Status: 'SUCCESS',
    });
  });

  it('The guard refuses a loss if it cannot find out whether the stack rolls back', async () => {
    const answer = await answerTo(eventOf('Update', PLAIN, KEYED), async () => {
      throw new Error('AccessDenied');
    });
    expect(answer).toMatchObject({ Status: 'FAILED', Reason: expect.stringContaining('AccessDenied') });
  });

  it('The guard answers within the 4 KB that CloudFormation accepts, with a hundred administrators', async () => {
    const before = { ...PLAIN, principals: Array.from({ length: 100 }, (_, at) => `${ALICE}${at}`) };
    const answer = await answerTo(eventOf('Update', PLAIN, before));
    expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThan(4_096);
    expect(answer.Reason).toContain('-c confirmChange=principals ');
  });
});
