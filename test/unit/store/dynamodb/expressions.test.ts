import { describe, expect, it } from '@jest/globals';
import {
  conditionParameters,
  rangeParameters,
  updateParameters,
} from '../../../../lib/store/dynamodb/expressions.ts';

describe('a condition expression', () => {
  it('is absent if there are no conditions', () => {
    expect(conditionParameters(undefined)).toEqual({});
  });

  it('names attributes and values by placeholders', () => {
    expect(conditionParameters([{ missing: 'pk' }])).toEqual({
      ConditionExpression: 'attribute_not_exists(#n0)',
      ExpressionAttributeNames: { '#n0': 'pk' },
    });
  });

  it('joins clauses by AND, and the clauses of `any` by OR', () => {
    const below = { attribute: 'rv', is: '<', value: 7 } as const;
    expect(
      conditionParameters([{ attribute: 'state', is: '=', value: 'x' }, { any: [{ missing: 'rv' }, below] }]),
    ).toEqual({
      ConditionExpression: '#n0 = :v0 AND (attribute_not_exists(#n1) OR #n1 < :v1)',
      ExpressionAttributeNames: { '#n0': 'state', '#n1': 'rv' },
      ExpressionAttributeValues: { ':v0': { S: 'x' }, ':v1': { N: '7' } },
    });
  });
});

describe('an update expression', () => {
  it('sets, adds and removes under one condition', () => {
    const update = {
      set: { text: 'x', 'odd name': true },
      add: { rv: 1 },
      remove: ['gone'],
      condition: [{ missing: 'text' }],
    };
    expect(updateParameters(update)).toEqual({
      UpdateExpression: 'SET #n0 = :v0, #n1 = :v1 ADD #n2 :v2 REMOVE #n3',
      ConditionExpression: 'attribute_not_exists(#n0)',
      ExpressionAttributeNames: { '#n0': 'text', '#n1': 'odd name', '#n2': 'rv', '#n3': 'gone' },
      ExpressionAttributeValues: { ':v0': { S: 'x' }, ':v1': { BOOL: true }, ':v2': { N: '1' } },
    });
  });

  it('sets missing attributes, and leaves existing ones', () => {
    expect(updateParameters({ set: { a: 1 }, setMissing: { since: 7 } })).toMatchObject({
      UpdateExpression: 'SET #n0 = :v0, #n1 = if_not_exists(#n1, :v1)',
      ExpressionAttributeNames: { '#n0': 'a', '#n1': 'since' },
    });
  });

  it('leaves out the actions that it does not use', () => {
    expect(updateParameters({ remove: ['a', 'b'] })).toEqual({
      UpdateExpression: 'REMOVE #n0, #n1',
      ExpressionAttributeNames: { '#n0': 'a', '#n1': 'b' },
    });
    expect(updateParameters({ set: { a: 1 } }).UpdateExpression).toBe('SET #n0 = :v0');
    expect(updateParameters({ add: { a: 1 } }).UpdateExpression).toBe('ADD #n0 :v0');
  });
});

describe('a range expression', () => {
  it('is one partition between two sort keys', () => {
    const range = { partitionKey: 'k', sortKey: 'v', partition: 'p', from: 'a', to: 'b' };
    expect(rangeParameters(range)).toEqual({
      KeyConditionExpression: '#n0 = :v0 AND #n1 BETWEEN :v1 AND :v2',
      ExpressionAttributeNames: { '#n0': 'k', '#n1': 'v' },
      ExpressionAttributeValues: { ':v0': { S: 'p' }, ':v1': { S: 'a' }, ':v2': { S: 'b' } },
    });
  });
});
