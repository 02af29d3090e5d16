import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Consumed } from '../table.ts';

/** The part of a request that makes DynamoDB report the consumed capacity, and the part of an answer that holds it. */
interface Request {
  readonly input: object;
}
interface Answer {
  readonly ConsumedCapacity?: Capacity | readonly Capacity[];
}
interface Capacity {
  readonly CapacityUnits?: number;
}

/**
 * The same client, which reports the consumed capacity of each answered request, indexes included.
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ConsumedCapacity.html
 */
export function meteredClient(client: DynamoDBClient, report: (consumed: Consumed) => void): DynamoDBClient {
  const send = async (request: Request, ...options: unknown[]): Promise<unknown> => {
    Object.assign(request.input, { ReturnConsumedCapacity: 'TOTAL' });
    const answer: Answer = await Reflect.apply(client.send, client, [request, ...options]);
    report({ units: unitsOf(answer) });
    return answer;
  };
  return new Proxy(client, {
    get: (target, property) => (property === 'send' ? send : Reflect.get(target, property)),
  });
}

/** The consumed units of an answer. Requests that may use several tables return a list. */
function unitsOf({ ConsumedCapacity = [] }: Answer): number {
  return [ConsumedCapacity].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
}
