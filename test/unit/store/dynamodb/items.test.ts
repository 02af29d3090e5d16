import { marshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, it } from '@jest/globals';
import { toItem, toRow } from '../../../../lib/store/dynamodb/items.ts';

const row = {
  pk: 'p',
  sk: '',
  text: 'ä',
  yes: true,
  no: false,
  zero: 0,
  large: Number.MAX_SAFE_INTEGER,
  part: -1.5,
  bytes: new Uint8Array([0, 255]),
  none: undefined,
};

describe('a DynamoDB item', () => {
  it('is what the SDK encodes from the row', () => {
    expect(toItem(row)).toEqual(marshall(row, { removeUndefinedValues: true }));
  });

  it('decodes to the row', () => {
    const { none: _none, ...defined } = row;
    expect(toRow(toItem(row))).toEqual(defined);
  });

  it('is read without attributes that a row cannot hold', () => {
    const item = marshall({ pk: 'p', sk: 's', list: [1], map: { a: 1 }, nothing: null });
    expect(toRow(item)).toEqual({ pk: 'p', sk: 's' });
  });
});
