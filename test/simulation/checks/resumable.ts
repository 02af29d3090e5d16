import { BATCH } from './queued-spells.ts';
import { describeTransition, missingIn } from './reliable.ts';
import type { Run } from './run.ts';
import { type ChangeEvent, describeEvent, isChange, type QueuedSpell, type WatchedSpell } from './spells.ts';
import type { Violation } from './violation.ts';

/**
 * Guarantee "resumable": a watch that resumes from the resourceVersion of any event or bookmark loses nothing and
 * repeats nothing. A queue that resumes after a failed send begins no later than at the first change it lacked. If it
 * cannot resume, it sends an ERROR before it begins anew.
 */
export function checkResumable(run: Run): Violation[] {
  return [
    ...run.watches.flatMap((spells) =>
      spells.flatMap((spell, index) => checkSpell(run, spell, spells[index - 1])),
    ),
    ...run.queued
      .filter(({ fifo }) => fifo)
      .flatMap((spell) => [...checkStart(spell), ...checkRewinds(run, spell)]),
  ];
}

function checkSpell(run: Run, spell: WatchedSpell, before: WatchedSpell | undefined): Violation[] {
  const { begins, from, events, name } = spell;
  const repeated = events.filter(({ object }) => object.rv <= from).map(describeEvent);
  const violations = repeated.map((event) => violation(`${name} was told what lies before its start`, event));
  if (begins === 'list') return violations;
  const first = Math.min(...events.map(({ object }) => object.rv));
  const lost = missingIn(run, spell).filter(({ rv }) => rv < first);
  violations.push(
    ...lost.map((one) => violation(`${name} lost a change at its start`, describeTransition(one))),
  );
  if (before !== undefined && from > before.to) {
    violations.push(
      violation(`${name} goes on from what it was never told`, `it was told up to @${before.to}`),
    );
  }
  const error = before?.all.find((event) => event.type === 'ERROR');
  if (error !== undefined) violations.push(violation(`${name} goes on after an ERROR`, `at ${error.at}`));
  return violations;
}

function checkStart({ name, mustForget, messages }: QueuedSpell): Violation[] {
  const [first] = messages;
  if (!mustForget || first === undefined || first.event.type === 'ERROR') return [];
  return [violation(`${name} begins anew without an ERROR`, describeEvent(first.event))];
}

/**
 * When the last attempt resumes, every earlier change has been delivered. The attempts before it may have failed at
 * their start. If a batch was accepted in part and its sender died, the missing messages come after the rest of that
 * batch.
 */
function checkRewinds(run: Run, spell: QueuedSpell): Violation[] {
  const { name, messages, edits, from, to, bent } = spell;
  const ended = edits.at(-1)?.edit;
  const attempt = messages.at(-1)?.attempt ?? 0;
  const index = messages.findIndex((message) => message.attempt === attempt);
  const event = messages[index]?.event;
  if (attempt === 0 || event === undefined || !isChange(event) || event.object.rv <= from) return [];
  const events = messages
    .slice(0, index)
    .filter(({ edit }) => ended === undefined || edit === ended)
    .map((one) => one.event)
    .filter(isChange);
  const missing = missingIn(run, { ...spell, events, to: Math.min(to, event.object.rv - 1) });
  const late = bent ? messages.slice(index).map((one) => one.event) : [];
  const lost = missing.filter(({ rv }) => !comesBehindItsBatch(late.filter(isChange), rv));
  return lost.map((one) =>
    violation(`${name} lost a change when it was rewound`, describeTransition(one), describeEvent(event)),
  );
}

function comesBehindItsBatch(events: readonly ChangeEvent[], rv: number): boolean {
  const at = events.findIndex(({ object }) => object.rv === rv);
  const overtakers = events.slice(0, Math.max(at, 0)).filter(({ object }) => object.rv > rv);
  return at !== -1 && overtakers.length < BATCH;
}

function violation(message: string, ...evidence: string[]): Violation {
  return { check: 'resumable', message, evidence };
}
