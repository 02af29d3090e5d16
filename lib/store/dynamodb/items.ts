import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Attribute, Key, Row } from '../table.ts';

/**
 * Attributes in DynamoDB's wire format, by name.
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_AttributeValue.html
 */
export type Item = Record<string, AttributeValue>;

type WireValue = Omit<Partial<AttributeValue>, 'B'> & { readonly B?: Uint8Array | string | undefined };

export const keyItem = ({ pk, sk }: Key): Item => ({ pk: { S: pk }, sk: { S: sk } });

/** Converts attributes to an item, without undefined ones. */
export function toItem(attributes: Readonly<Record<string, Attribute | undefined>>): Item {
  const item: Item = {};
  for (const name in attributes) {
    const value = attributes[name];
    if (value !== undefined) item[name] = toAttributeValue(value);
  }
  return item;
}

/**
 * Converts an item to a row, without types that the store never writes (lists, maps, sets, null). Binary values are
 * bytes, or text in base64 as the service writes them.
 */
export function toRow(item: Readonly<Item>): Row {
  const row: Record<string, Attribute> = {};
  for (const name in item) {
    const value = toAttribute(item[name]);
    if (value !== undefined) row[name] = value;
  }
  return row as Row;
}

function toAttributeValue(value: Attribute): AttributeValue {
  switch (typeof value) {
    case 'string':
      return { S: value };
    case 'number':
      return { N: String(value) };
    case 'boolean':
      return { BOOL: value };
    default:
      return { B: value };
  }
}

function toAttribute({ S, N, BOOL, B }: WireValue = {}): Attribute | undefined {
  if (S !== undefined) return S;
  if (N !== undefined) return Number(N);
  return BOOL ?? (typeof B === 'string' ? Buffer.from(B, 'base64') : B);
}

/** An answer of a read: the rows, and the rest of it. */
export interface WireAnswer {
  readonly rows: readonly Row[];
  readonly envelope: object;
}

interface Envelope {
  readonly Item?: Item;
  readonly Items?: readonly Item[];
  readonly Responses?: Readonly<Record<string, readonly Item[]>>;
}

/** Reads the text of an answer of GetItem, Query or BatchGetItem. */
export function parseAnswer(text: string): WireAnswer {
  const envelope: Envelope = JSON.parse(text);
  const { Item, Items = Object.values(envelope.Responses ?? {}).flat() } = envelope;
  return { rows: (Item === undefined ? Items : [Item]).map(toRow), envelope };
}
