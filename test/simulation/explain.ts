import type { Asked, History, Snapshot, WatchedEvent } from './history.ts';

export interface Line {
  /** Virtual ms. */
  readonly at: number;
  readonly text: string;
}

/** A history as text for people: each action and observation of a client, in the order of time. */
export function explain(history: History): Line[] {
  return [
    ...operationLines(history),
    ...listingLines(history),
    ...watchLines(history),
    ...subscriptionLines(history),
  ].sort((left, right) => left.at - right.at);
}

/** `    12.345 ms  text`. */
export function printed({ at, text }: Line): string {
  return `${at.toFixed(3).padStart(16)} ms  ${text}`;
}

function operationLines({ operations }: History): Line[] {
  return operations.flatMap((one) => {
    const { client, kind, object, invoked, returned, outcome, reason = '', wrote, answer, expected } = one;
    const writes = wrote === undefined ? '' : ` ${JSON.stringify(wrote)}`;
    const precondition = expected === undefined ? '' : ` if it is @${expected}`;
    const asks = { at: invoked, text: `${client} asks: ${kind} ${object}${writes}${precondition}` };
    const told = answer === undefined ? reason : described(answer);
    const hears = `${client} hears: ${kind} ${object} is ${outcome} ${told}`;
    return returned === undefined ? [asks] : [asks, { at: returned, text: hears }];
  });
}

function listingLines({ listings }: History): Line[] {
  return listings.flatMap(({ client, asked, invoked, returned, rv, at, items, pages }) => [
    { at: invoked, text: `${client} lists ${wanted(asked)}${at === undefined ? '' : ` at @${at}`}` },
    {
      at: returned,
      text: `${client} has listed @${rv} in ${pages} pages: ${items.map(described).join(', ')}`,
    },
  ]);
}

function watchLines({ watches }: History): Line[] {
  return watches.flatMap(({ client, asked, spells }) =>
    spells.flatMap(({ from, events }) =>
      events.map((event) => ({
        at: event.at,
        text: `${client}, watching ${wanted(asked)} from @${from}, sees ${eventText(event)}`,
      })),
    ),
  );
}

function subscriptionLines({ subscriptions }: History): Line[] {
  return subscriptions.flatMap(({ name, asked, disturbed, messages }) => [
    ...disturbed.map((at) => ({ at, text: `${name} is deleted, or its queue is lost` })),
    ...messages.map(({ event, edit, deduplication }) => ({
      at: event.at,
      text: `${name}, of ${wanted(asked)}, receives ${eventText(event)} (${deduplication ?? `standard queue, edit ${edit}`})`,
    })),
  ]);
}

function eventText(event: WatchedEvent): string {
  if (event.type === 'ERROR') return 'ERROR 410';
  return event.type === 'BOOKMARK' ? `BOOKMARK @${event.rv}` : `${event.type} ${described(event.object)}`;
}

function described({ object, rv, labels, phase, token }: Snapshot): string {
  const texts = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  return `${object}@${rv} [${[...texts, phase, token].join(' ')}]`;
}

function wanted({ namespace, labelSelector, fieldSelector }: Asked): string {
  const parts = [namespace && `namespace ${namespace}`, labelSelector, fieldSelector].filter(Boolean);
  return parts.length === 0 ? 'everything' : `"${parts.join(' & ')}"`;
}
