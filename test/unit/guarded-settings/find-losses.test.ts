import { describe, expect, it } from '@jest/globals';
import { findLosses, GUARDED, type StoredSettings } from '../../../lib/guarded-settings/index.ts';

const [ALICE, BOB] = ['arn:aws:iam::111122223333:role/Alice', 'arn:aws:iam::111122223333:role/Bob'];
const STREAM = 'arn:aws:dynamodb:eu-central-1:111122223333:table/Restored/stream/2026-11-22T12:00:00.000';
const KEY = 'arn:aws:kms:eu-central-1:111122223333:key/a';
const QUEUE = 'arn:aws:sqs:eu-central-1:111122223333:audit';

const PLAIN: StoredSettings = {
  table: 'StorageSlotted',
  tableStream: '',
  destroyable: 'false',
  prefix: 'winnow',
  principals: [ALICE],
  key: '',
  serviceAccountTokens: 'false',
  auditPolicy: '',
  auditQueue: '',
  auditLogRetention: '',
  auditLogKey: '',
};
const FULL: StoredSettings = {
  ...PLAIN,
  key: 'managed',
  principals: [ALICE, BOB],
  serviceAccountTokens: 'true',
  auditPolicy: 'on',
  auditQueue: QUEUE,
  auditLogRetention: '365',
  auditLogKey: 'managed',
};

const losses = (before: StoredSettings, after: StoredSettings, confirmed: readonly string[] = []) =>
  findLosses(before, after, confirmed).map(({ setting }) => setting);

describe('A change of settings', () => {
  it('No change, or an addition, loses nothing', () => {
    expect(losses(PLAIN, PLAIN)).toEqual([]);
    expect(losses(FULL, FULL)).toEqual([]);
    expect(losses(PLAIN, FULL)).toEqual([]);
    expect(losses(FULL, { ...FULL, auditLogRetention: '3653' })).toEqual([]);
  });

  const CHANGES: readonly (readonly [StoredSettings, Partial<StoredSettings>, string, string])[] = [
    [PLAIN, { table: 'WinnowSlotted' }, 'tableStream', 'its own table WinnowSlotted'],
    [PLAIN, { table: '', tableStream: STREAM }, 'tableStream', `would use the table of ${STREAM}`],
    [
      { ...PLAIN, table: '', tableStream: STREAM },
      { table: 'S', tableStream: '' },
      'tableStream',
      'own table S',
    ],
    [{ ...PLAIN, table: '', tableStream: STREAM }, { tableStream: `${STREAM}1` }, 'tableStream', STREAM],
    [PLAIN, { destroyable: 'true' }, 'destroyable', 'delete the table'],
    [PLAIN, { prefix: 'other' }, 'prefix', 'it is winnow, and would be other'],
    [PLAIN, { principals: [BOB] }, 'principals', `${ALICE} would no longer be an administrator`],
    [PLAIN, { principals: [] }, 'principals', 'would be: nobody'],
    [FULL, { principals: [BOB] }, 'principals', `${ALICE} would no longer`],
    [FULL, { key: '' }, 'key', 'it is managed, and would be a key of AWS'],
    [FULL, { key: KEY }, 'key', `would be ${KEY}`],
    [{ ...FULL, key: KEY }, { key: 'managed' }, 'key', `it is ${KEY}, and would be managed`],
    [FULL, { serviceAccountTokens: 'false' }, 'serviceAccountTokens', 'would be deleted'],
    [FULL, { auditPolicy: '' }, 'auditPolicy', 'no audit events'],
    [FULL, { auditQueue: '' }, 'auditQueue', `it is ${QUEUE}, and would be unset`],
    [FULL, { auditLogRetention: '' }, 'auditLogRetention', 'it is 365, and would be unset'],
    [FULL, { auditLogRetention: '90' }, 'auditLogRetention', 'would be 90: CloudWatch Logs would delete'],
    [FULL, { auditLogKey: '' }, 'auditLogKey', 'it is managed, and would be a key of AWS'],
    [FULL, { auditLogKey: KEY }, 'auditLogKey', `would be ${KEY}`],
    [FULL, { auditQueue: `${QUEUE}2` }, 'auditQueue', `would be ${QUEUE}2`],
  ];

  it.each(CHANGES)(
    'A change from %j to %j loses what %s holds, unless it is confirmed',
    (before, change, setting, says) => {
      const after = { ...before, ...change };
      const [loss, ...more] = findLosses(before, after, []);
      expect(more).toEqual([]);
      expect(loss).toEqual({ setting, message: expect.stringContaining(says) });
      expect(
        losses(
          before,
          after,
          GUARDED.filter((one) => one !== setting),
        ),
      ).toEqual([setting]);
      expect(losses(before, after, [setting])).toEqual([]);
    },
  );

  it('This file has a case for each guarded setting', () => {
    expect(new Set(CHANGES.map(([, , setting]) => setting))).toEqual(new Set(GUARDED));
  });

  it('A change names every loss', () => {
    expect(losses(FULL, { ...PLAIN, destroyable: 'true', principals: [] })).toEqual(
      GUARDED.filter((setting) => setting !== 'prefix' && setting !== 'tableStream'),
    );
  });

  it('A change loses nothing that an older release did not store', () => {
    const unstored = { ...PLAIN, prefix: '', principals: [] };
    expect(losses(unstored, { ...FULL, prefix: 'winnow' })).toEqual([]);
  });
});
