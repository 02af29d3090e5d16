import { describe, expect, it } from '@jest/globals';
import { type Item, parseAnswer, toItem, toRow } from '../../../../lib/store/dynamodb/items.ts';
import { readManyRows } from '../../../../lib/store/dynamodb/wire-rows.ts';
import { randomValues } from '../../../support/random-json.ts';

/** The text of a value as the service writes it: bytes are in base64. */
function written(answer: object): string {
  return JSON.stringify(answer, (_key, value) =>
    value?.B instanceof Uint8Array ? { B: Buffer.from(value.B).toString('base64') } : value,
  );
}

function itemOf(index: number, text: string): Item {
  const attributes = {
    pk: 'object#pods',
    sk: `default/name-${index}`,
    rv: index,
    part: -1.5e-7,
    yes: true,
    no: false,
    body: Buffer.from(text.repeat(20)),
    labels: JSON.stringify({ text, index }),
    text,
    Items: 'also a name',
  };
  const item = Object.entries(toItem(attributes));
  // The service has no order of attributes.
  return Object.fromEntries(item.map((_, at) => item[(at * 7 + index) % item.length] ?? ['', { S: '' }]));
}

const texts = randomValues(400).map((value) => JSON.stringify(value));
const items = texts.map((text, index) => itemOf(index, text));

describe('the answer of a read', () => {
  it('of a Query holds the rows, and the rest of the answer without them', () => {
    const rest = { Count: items.length, LastEvaluatedKey: { pk: { S: 'p' } } };
    for (const answer of [
      { Items: items, ...rest },
      { ...rest, Items: items },
    ]) {
      const { rows, envelope } = readManyRows(written(answer));
      expect(rows).toEqual(items.map(toRow));
      expect(parseAnswer(written(answer)).rows).toEqual(rows);
      expect(envelope).toEqual({ Items: [], ...rest });
    }
  });

  it('of a BatchGetItem holds the rows, and the unprocessed keys', () => {
    const UnprocessedKeys = { table: { Keys: [{ pk: { S: 'p' }, sk: { S: 's' } }] } };
    const { rows, envelope } = readManyRows(written({ Responses: { 'a.table-1': items }, UnprocessedKeys }));
    expect(rows).toEqual(items.map(toRow));
    expect(envelope).toMatchObject({ UnprocessedKeys });
  });

  it('gives rows with the same attributes one order of them', () => {
    const { rows } = readManyRows(written({ Items: items }));
    expect(new Set(rows.map((row) => Object.keys(row).join())).size).toBe(1);
  });

  it('of a GetItem holds one row, or none', () => {
    expect(readManyRows(written({ Item: items[0] })).rows).toEqual([toRow(items[0] as Item)]);
    expect(parseAnswer(written({ Item: items[0] })).rows).toEqual([toRow(items[0] as Item)]);
    expect(readManyRows('{}')).toEqual({ rows: [], envelope: {} });
    expect(readManyRows('{"Items":[],"Count":0}')).toEqual({ rows: [], envelope: { Items: [], Count: 0 } });
  });

  it.each([
    { l: { L: [{ S: 'x' }] } },
    { m: { M: { a: { S: '"Items":[' } } } },
    { ss: { SS: ['x'] } },
    { nothing: { NULL: true } },
    { Responses: { L: [{ S: 'x' }] } },
  ])('holds the rows of other programs too, without values that a row cannot have: %j', (more) => {
    const wide = { ...itemOf(1, 'x'), ...more } as unknown as Item;
    expect(readManyRows(written({ Items: [items[0], wide] })).rows).toEqual(
      [items[0] as Item, wide].map(toRow),
    );
  });

  it('is read with any spaces in it', () => {
    const text = JSON.stringify({ Items: [{ pk: { S: 'p' }, sk: { S: 's' } }], Count: 1 }, null, 2);
    expect(readManyRows(text).rows).toEqual([{ pk: 'p', sk: 's' }]);
  });

  it('that breaks off is an error', () => {
    const text = written({ Items: items.slice(0, 2), Count: 2 });
    for (let length = 0; length < text.length; length += 1) {
      expect(() => readManyRows(text.slice(0, length))).toThrow(SyntaxError);
    }
  });
});
