import type { Template } from '../../../infra/local/template.ts';
import type { Queues } from '../../../lib/coordination/index.ts';
import type { Condition, Key, Table, Update } from '../../../lib/store/index.ts';
import { type Statement, statementsOf } from '../../unit/infra/synthesized.ts';
import { isAllowed, type PolicyRequest } from './policy.ts';
import { createNamer } from './template-names.ts';

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
    this.name = name;
    this.#statements = createNamer(template)(statementsOf(template, name)) as Statement[];
  }

  ask(request: PolicyRequest): void {
    if (isAllowed(this.#statements, request)) return;
    throw new AccessDeniedError(`${this.name} may not ${JSON.stringify(request)}`);
  }

  /** The table as it is to the function. */
  table(table: Table): Table {
    const ask = (action: string, keys: readonly Key[], attributes: readonly string[] = []) => {
      const context = { 'dynamodb:LeadingKeys': keys.map(({ pk }) => pk), 'dynamodb:Attributes': attributes };
      this.ask({ action: `dynamodb:${action}`, resource: 'StorageSlotted', context });
    };
    return {
      get: async (key) => {
        ask('GetItem', [key]);
        return table.get(key);
      },
      query: async (request) => {
        const { index, partition } = request;
        if (index === undefined) {
          ask('Query', [{ pk: partition, sk: '' }]);
        } else {
          this.ask({ action: 'dynamodb:Query', resource: `StorageSlotted/index/${index}` });
        }
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
        ask('UpdateItem', [key], changedBy(key, change));
        return table.update(key, change);
      },
      delete: async (key, condition) => {
        ask('DeleteItem', [key]);
        return table.delete(key, condition);
      },
      transact: async (items, signal) => {
        for (const item of items) {
          if ('put' in item) {
            ask('PutItem', [item.put], [...Object.keys(item.put), ...attributesOf(item.condition)]);
          } else if ('delete' in item) {
            ask('DeleteItem', [item.delete]);
          } else if ('update' in item) {
            ask('UpdateItem', [item.update], changedBy(item.update, item));
          } else {
            ask('ConditionCheckItem', [item.check]);
          }
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
      permit: async (url, policy) => {
        ask('SetQueueAttributes', url, tagContext('ResourceTag', tags.get(url) ?? {}));
        return queues.permit(url, policy);
      },
      delete: async (url) => {
        ask('DeleteQueue', url, tagContext('ResourceTag', tags.get(url) ?? {}));
        return queues.delete(url);
      },
      attributes: async (url) => {
        ask('GetQueueAttributes', url);
        return queues.attributes(url);
      },
      tags: async (url) => {
        ask('ListQueueTags', url, tagContext('ResourceTag', tags.get(url) ?? {}));
        return queues.tags(url);
      },
      sendBatch: async (url, messages, signal) => {
        ask('SendMessage', url);
        return queues.sendBatch(url, messages, signal);
      },
    };
  }
}

function tagContext(
  where: string,
  tags: Readonly<Record<string, string>>,
): Record<string, readonly string[]> {
  return Object.fromEntries(Object.entries(tags).map(([key, value]) => [`aws:${where}/${key}`, [value]]));
}

function changedBy(
  key: Key,
  { set = {}, setMissing = {}, add = {}, remove = [], condition }: Update,
): string[] {
  const { pk, sk } = key;
  return [...Object.keys({ pk, sk, ...set, ...setMissing, ...add }), ...remove, ...attributesOf(condition)];
}

function attributesOf(condition: Condition = []): string[] {
  return condition.flatMap((clause) => {
    if ('any' in clause) return attributesOf(clause.any);
    return ['missing' in clause ? clause.missing : clause.attribute];
  });
}
