import { createResolver, type Physical } from '../../infra/local/intrinsics.ts';
import type { Template } from '../../infra/local/template.ts';
import type { Condition, Key, Table } from '../../lib/store/index.ts';
import type { Queues } from '../../lib/watch/index.ts';
import { type Statement, statementsOf } from '../unit/infra/synthesized.ts';

/** What a function asks of AWS, as IAM sees it. */
interface Request {
  readonly action: string;
  readonly resource: string;
  /** Condition keys with their values. */
  readonly context?: Readonly<Record<string, readonly string[]>>;
}

export class AccessDeniedError extends Error {
  override name = 'AccessDeniedException';
}

/** A function's role in the template: it refuses, as IAM would, whatever no statement allows. */
export class Role {
  readonly name: string;
  readonly #statements: readonly Statement[];
  /** Of the queues that it made. */
  readonly #tags = new Map<string, Readonly<Record<string, string>>>();

  constructor(template: Template, name: string) {
    const ids = [...Object.keys(template.Resources), ...PSEUDO_PARAMETERS];
    const named = ids.map((id): [string, Physical] => {
      const ref = id.replace(/[0-9A-F]{8}$/, '');
      return [id, { ref, attributes: { Arn: ref, StreamArn: ref } }];
    });
    const resolve = createResolver(new Map(named));
    this.name = name;
    this.#statements = resolve(statementsOf(template, name)) as Statement[];
  }

  ask(request: Request): void {
    if (this.#statements.some((statement) => allows(statement, request))) return;
    throw new AccessDeniedError(`${this.name} may not ${JSON.stringify(request)}`);
  }

  /** The table as it is to the function. */
  table(table: Table): Table {
    const ask = (action: string, keys: readonly Key[], attributes: readonly string[] = []) => {
      const context = { 'dynamodb:LeadingKeys': keys.map(({ pk }) => pk), 'dynamodb:Attributes': attributes };
      this.ask({ action: `dynamodb:${action}`, resource: 'StorageTable', context });
    };
    return {
      get: async (key) => {
        ask('GetItem', [key]);
        return table.get(key);
      },
      query: async (request) => {
        const { index, partition } = request;
        if (index === undefined) ask('Query', [{ pk: partition, sk: '' }]);
        else this.ask({ action: 'dynamodb:Query', resource: `StorageTable/index/${index}` });
        return table.query(request);
      },
      batchGet: async (keys) => {
        if (keys.length > 0) ask('BatchGetItem', keys);
        return table.batchGet(keys);
      },
      put: async (row, condition) => {
        ask('PutItem', [row], [...Object.keys(row), ...attributesOf(condition)]);
        return table.put(row, condition);
      },
      update: async (key, change) => {
        const { set = {}, add = {}, remove = [], condition } = change;
        const named = [...Object.keys({ ...key, ...set, ...add }), ...remove, ...attributesOf(condition)];
        ask('UpdateItem', [key], named);
        return table.update(key, change);
      },
      delete: async (key, condition) => {
        ask('DeleteItem', [key]);
        return table.delete(key, condition);
      },
      transact: async (items, signal) => {
        for (const item of items) {
          if ('put' in item)
            ask('PutItem', [item.put], [...Object.keys(item.put), ...attributesOf(item.condition)]);
          else if ('delete' in item) ask('DeleteItem', [item.delete]);
          else ask('ConditionCheckItem', [item.check]);
        }
        return table.transact(items, signal);
      },
    };
  }

  /** The queues as they are to the function; `arnOf` says what a queue is called in the template. */
  queues(queues: Queues, arnOf: (urlOrName: string) => string): Queues {
    const tags = this.#tags;
    const ask = (action: string, queue: string, context = {}) =>
      this.ask({ action: `sqs:${action}`, resource: arnOf(queue), context });
    return {
      create: async (name, options) => {
        const context = tagContext('RequestTag', options.tags);
        ask('CreateQueue', name, context);
        ask('TagQueue', name, context);
        const url = await queues.create(name, options);
        tags.set(url, options.tags);
        return url;
      },
      delete: async (url) => {
        ask('DeleteQueue', url, tagContext('ResourceTag', tags.get(url) ?? {}));
        return queues.delete(url);
      },
      attributes: async (url) => {
        ask('GetQueueAttributes', url);
        return queues.attributes(url);
      },
      sendBatch: async (url, messages, signal) => {
        ask('SendMessage', url);
        return queues.sendBatch(url, messages, signal);
      },
    };
  }
}

const PSEUDO_PARAMETERS = ['AWS::Partition', 'AWS::Region', 'AWS::AccountId'];

function tagContext(
  where: string,
  tags: Readonly<Record<string, string>>,
): Record<string, readonly string[]> {
  return Object.fromEntries(Object.entries(tags).map(([key, value]) => [`aws:${where}/${key}`, [value]]));
}

function attributesOf(condition: Condition = []): string[] {
  return condition.flatMap((clause) => {
    if ('any' in clause) return attributesOf(clause.any);
    return ['missing' in clause ? clause.missing : clause.attribute];
  });
}

function allows({ Action, Resource, Condition = {} }: Statement, request: Request): boolean {
  const conditions = Object.entries(Condition).flatMap(([operator, keys]) =>
    Object.entries(keys).map(([key, expected]) => ({ operator, key, expected: [expected].flat() })),
  );
  return (
    [Action].flat().includes(request.action) &&
    [Resource].flat().some((pattern) => like(String(pattern), request.resource)) &&
    conditions.every(({ operator, key, expected }) => holds(operator, request.context?.[key] ?? [], expected))
  );
}

/** The operators of our policies, as IAM defines them. */
function holds(operator: string, values: readonly string[], expected: readonly string[]): boolean {
  if (operator === 'Null') return String(values.length === 0) === expected[0];
  if (operator === 'StringEquals') return values.length === 1 && expected.includes(values[0] ?? '');
  if (operator === 'ForAllValues:StringEquals') return values.every((value) => expected.includes(value));
  if (operator === 'ForAllValues:StringLike') {
    return values.every((value) => expected.some((pattern) => like(pattern, value)));
  }
  throw new Error(`no policy of ours has ${operator}`);
}

function like(pattern: string, value: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(value);
}
