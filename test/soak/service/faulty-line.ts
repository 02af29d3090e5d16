import { type FaultyDynamo, startFaultyDynamo, type WireFault } from '../../support/store/faulty-dynamodb.ts';

/** How often each thing goes wrong between the functions and the database, while anything does. */
const FAULTS: readonly (readonly [odds: number, fault: WireFault])[] = [
  [0.01, { error: 'ProvisionedThroughputExceededException' }],
  [0.005, 'request lost'],
  [0.005, 'answer lost'],
  [0.001, 'silence'],
];

/** The line between the functions and the database. */
export class FaultyLine {
  /** Whether anything goes wrong on it by chance. */
  isFaulty = false;
  /** Each request that has this text in it is lost. */
  poison: string | undefined;
  /** How many requests went wrong by chance, and how many for the poison. */
  faults = 0;
  poisoned = 0;
  #dynamo: FaultyDynamo | undefined;

  get endpoint(): string {
    return this.#dynamo?.endpoint ?? '';
  }

  async open(target: string): Promise<void> {
    if (this.#dynamo !== undefined) return;
    this.#dynamo = await startFaultyDynamo(target);
    this.#dynamo.fault = (_operation, body) => this.#fault(body);
  }

  async close(): Promise<void> {
    await this.#dynamo?.stop();
    this.#dynamo = undefined;
  }

  #fault(body: string): WireFault {
    if (this.poison !== undefined && body.includes(this.poison)) {
      this.poisoned += 1;
      return 'request lost';
    }
    if (!this.isFaulty) return undefined;
    let chance = Math.random();
    for (const [odds, fault] of FAULTS) {
      chance -= odds;
      if (chance >= 0) continue;
      this.faults += 1;
      return fault;
    }
    return undefined;
  }
}
