import { describe, expect, it } from '@jest/globals';
import { createDynamoTable } from '../../../../lib/store/dynamodb/index.ts';
import { createVirtualClock } from '../../../support/clocks/virtual-clock.ts';

/** A table whose service answers each request with the same body, and the inputs it was sent. */
function tableAnswering(body: object) {
  const inputs: Record<string, unknown>[] = [];
  const requestHandler = {
    handle: async (request: { body: Uint8Array }) => {
      inputs.push(JSON.parse(new TextDecoder().decode(request.body)));
      const headers = { 'content-type': 'application/x-amz-json-1.0' };
      return { response: { statusCode: 200, headers, body: Buffer.from(JSON.stringify(body)) } };
    },
  };
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const config = { endpoint: 'http://localhost:1', region: 'us-east-1', credentials, requestHandler };
  const table = createDynamoTable({ tableName: 'winnow', clock: createVirtualClock(), config });
  return { table, inputs };
}

const key = { pk: 'p', sk: 's' };

describe('a metered table', () => {
  it('requests the consumed capacity, and reports each request', async () => {
    const { table, inputs } = tableAnswering({ ConsumedCapacity: { CapacityUnits: 1.5 } });
    const told: number[] = [];
    const metered = table.metered(({ units }) => told.push(units));
    await metered.get(key);
    await metered.query({ partition: 'p', from: 'a', to: 'b' });
    await metered.update(key, { add: { rv: 1 } });
    expect(told).toEqual([1.5, 1.5, 1.5]);
    expect(inputs.map(({ ReturnConsumedCapacity }) => ReturnConsumedCapacity)).toEqual(
      Array(3).fill('TOTAL'),
    );
  });

  it('sums the capacity of requests with several items', async () => {
    const capacity = [{ CapacityUnits: 8 }, { CapacityUnits: 2 }];
    const { table } = tableAnswering({ Responses: {}, ConsumedCapacity: capacity });
    const told: number[] = [];
    const metered = table.metered(({ units }) => told.push(units));
    await metered.batchGet([key]);
    await metered.transact([{ put: key }], AbortSignal.timeout(1_000));
    expect(told).toEqual([10, 10]);
  });

  it('leaves the table that it wraps unchanged', async () => {
    const { table, inputs } = tableAnswering({});
    table.metered(() => {});
    await table.get(key);
    expect(inputs[0]).not.toHaveProperty('ReturnConsumedCapacity');
  });
});
