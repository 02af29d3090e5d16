import { type JsonObject, type JsonValue, jsonEquals, objectAt } from '../../../json/index.ts';
import { child, duplicate, index, invalid, invalidPrinted, required } from '../../field-errors/index.ts';
import { type Errors, nonNegative } from '../errors.ts';
import { goTexts, goTime } from '../go-values.ts';
import { isThere, numberOf, objectsOf, textOf, textsOf } from '../reading.ts';
import { firstOverlap, readIndexes } from './indexes.ts';

const CONDITIONS = 'status.conditions';
const TERMINAL = ['Failed', 'Complete', 'FailureTarget'];

/** A Job's status, and the facts that its conditions state. */
interface Said {
  readonly status: JsonObject;
  readonly complete: boolean;
  readonly failed: boolean;
  readonly failing: boolean;
  readonly met: boolean;
  readonly finished: boolean;
}

/**
 * Checks the status of a Job, which other controllers than Kubernetes' may write. Changes must be consistent, as in
 * k8s.io/kubernetes/pkg/apis/batch/validation, ValidateJobStatusUpdate.
 */
export function* jobStatus(body: JsonObject, old: JsonObject = {}): Errors {
  const spec = objectAt(body.spec);
  const [now, before] = [said(body.status), said(old.status)];
  const changed = (...fields: readonly string[]) =>
    fields.some((field) => !jsonEquals(now.status[field] ?? null, before.status[field] ?? null));
  yield* counts(now.status);
  yield* conditions({ now, before, spec, changed });
  yield* times({ now, before, spec, changed });
  yield* finishedJob({ now, before, spec, changed });
  yield* indexes({ now, before, spec, changed });
  yield* later({ now, before, spec, changed });
  yield* met({ now, before, spec, changed });
  yield* kept({ now, before, spec, changed });
}

interface Change {
  readonly now: Said;
  readonly before: Said;
  readonly spec: JsonObject;
  /** Whether any of these fields of the status has changed. */
  changed(...fields: readonly string[]): boolean;
}

function said(value: JsonValue | undefined): Said {
  const status = objectAt(value);
  const [complete = false, failed = false, failing = false, isMet = false] = [
    'Complete',
    'Failed',
    'FailureTarget',
    'SuccessCriteriaMet',
  ].map((type) => isTrue(status, type));
  return { status, complete, failed, failing, met: isMet, finished: complete || failed };
}

function isTrue(status: JsonObject, type: string): boolean {
  return objectsOf(status.conditions).some((one) => one.type === type && one.status === 'True');
}

function contradiction(detail: string) {
  return { type: 'Invalid', field: CONDITIONS, detail } as const;
}

function* counts(status: JsonObject): Errors {
  for (const field of ['active', 'succeeded', 'failed', 'ready', 'terminating']) {
    yield* nonNegative(child('status', field), status[field]);
  }
  const uncounted = objectAt(status.uncountedTerminatedPods);
  const seen = new Set<string>();
  for (const field of ['succeeded', 'failed']) {
    for (const [at, uid] of textsOf(uncounted[field]).entries()) {
      const own = index(`status.uncountedTerminatedPods.${field}`, at);
      if (uid === '') {
        yield invalid(own, uid, 'must not be empty');
      } else if (seen.has(uid)) {
        yield duplicate(own, uid);
      }
      seen.add(uid);
    }
  }
}

function* conditions({ now, before }: Change): Errors {
  const isOtherEnd = now.complete !== before.complete || now.failed !== before.failed;
  if (isOtherEnd && now.complete && now.failed) {
    yield contradiction('cannot set Complete=True and Failed=true conditions');
  }
  const isOtherTarget = now.complete !== before.complete || now.failing !== before.failing;
  if (isOtherTarget && now.complete && now.failing) {
    yield contradiction('cannot set Complete=True and FailureTarget=true conditions');
  }
}

function* times({ now, before, changed }: Change): Errors {
  const { startTime, completionTime } = now.status;
  const own = child('status', 'completionTime');
  if (now.complete !== before.complete || changed('completionTime')) {
    if (isThere(completionTime) && !now.complete) {
      yield invalidPrinted(
        own,
        goTime(completionTime),
        'cannot set completionTime when there is no Complete=True condition',
      );
    }
    if (!isThere(completionTime) && now.complete) {
      yield required(own, 'completionTime is required for Complete jobs');
    }
  }
  const isEarlier =
    isThere(startTime) &&
    isThere(completionTime) &&
    Date.parse(textOf(completionTime)) < Date.parse(textOf(startTime));
  if (changed('startTime', 'completionTime') && isEarlier) {
    yield invalidPrinted(own, goTime(completionTime), 'completionTime cannot be set before startTime');
  }
}

function* finishedJob({ now, before, changed }: Change): Errors {
  const { status } = now;
  if ((now.failed !== before.failed || changed('failedIndexes')) && now.failed && !now.failing) {
    yield contradiction('cannot set Failed=True condition without the FailureTarget=true condition');
  }
  const isOtherSuccess = now.complete !== before.complete || now.met !== before.met;
  if (isOtherSuccess && now.complete && !now.met) {
    yield contradiction('cannot set Complete=True condition without the SuccessCriteriaMet=true condition');
  }
  const isEnd = now.finished !== before.finished;
  if ((isEnd || changed('active')) && now.finished && numberOf(status.active) > 0) {
    yield invalid('status.active', numberOf(status.active), 'active>0 is invalid for finished job');
  }
  if ((isEnd || changed('startTime')) && now.finished && !isThere(status.startTime)) {
    yield required('status.startTime', 'startTime is required for finished job');
  }
  const uncounted = objectAt(status.uncountedTerminatedPods);
  const some = [...textsOf(uncounted.succeeded), ...textsOf(uncounted.failed)].length > 0;
  if ((isEnd || changed('uncountedTerminatedPods')) && now.finished && some) {
    const field = 'status.uncountedTerminatedPods';
    const detail = 'uncountedTerminatedPods needs to be empty for finished job';
    const [succeeded, failed] = [uncounted.succeeded, uncounted.failed].map((uids) =>
      goTexts(uids, 'types.UID'),
    );
    yield invalidPrinted(
      field,
      `batch.UncountedTerminatedPods{Succeeded:${succeeded}, Failed:${failed}}`,
      detail,
    );
  }
}

function* indexes({ now, spec, changed }: Change): Errors {
  const { completedIndexes, failedIndexes } = now.status;
  const [completed, failed] = [textOf(completedIndexes), textOf(failedIndexes)];
  const [completedPath, failedPath] = ['status.completedIndexes', 'status.failedIndexes'];
  const completions = isThere(spec.completions) ? numberOf(spec.completions) : undefined;
  const perIndex = isThere(spec.backoffLimitPerIndex);
  if (changed('completedIndexes') && completions !== undefined) {
    const read = readIndexes(completed, completions);
    if (typeof read === 'string') {
      yield invalid(completedPath, completed, `error parsing completedIndexes: ${read}`);
    }
  }
  if (changed('failedIndexes') && completions !== undefined && perIndex && isThere(failedIndexes)) {
    const read = readIndexes(failed, completions);
    if (typeof read === 'string') yield invalid(failedPath, failed, `error parsing failedIndexes: ${read}`);
  }
  if (changed('completedIndexes') && completed !== '' && spec.completionMode !== 'Indexed') {
    const detail = 'cannot set non-empty completedIndexes when non-indexed completion mode';
    yield invalid(completedPath, completed, detail);
  }
  if (changed('failedIndexes') && !perIndex && isThere(failedIndexes)) {
    const detail = 'cannot set non-null failedIndexes when backoffLimitPerIndex is null';
    yield invalid(failedPath, failed, detail);
  }
  if (changed('failedIndexes', 'completedIndexes') && completions !== undefined && isThere(failedIndexes)) {
    const met = firstOverlap(completed, failed, completions);
    if (met !== undefined) {
      yield invalid(failedPath, failed, `failedIndexes and completedIndexes overlap at index: ${met}`);
    }
  }
}

function* later({ now, before, changed }: Change): Errors {
  const { terminating, ready, active } = now.status;
  const isEnd = now.finished !== before.finished;
  if ((isEnd || changed('terminating')) && now.finished && numberOf(terminating) > 0) {
    yield invalid('status.terminating', numberOf(terminating), 'terminating>0 is invalid for finished job');
  }
  if (changed('ready', 'active') && numberOf(ready) > numberOf(active)) {
    yield invalid('status.ready', numberOf(ready), 'cannot set more ready pods than active');
  }
}

function* met({ now, spec }: Change): Errors {
  if (now.met && now.failed) {
    yield contradiction('cannot set SuccessCriteriaMet=True and Failed=true conditions');
  }
  if (now.met && now.failing) {
    yield contradiction('cannot set SuccessCriteriaMet=True and FailureTarget=true conditions');
  }
  if (isThere(spec.successPolicy) && !now.met && now.complete) {
    yield contradiction('cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True');
  }
}

/** Checks that terminal conditions, counts and times are kept. */
function* kept({ now, before, spec, changed }: Change): Errors {
  for (const type of TERMINAL) {
    if (isTrue(before.status, type) && !isTrue(now.status, type)) {
      yield contradiction(`cannot disable the terminal ${type}=True condition`);
    }
  }
  yield* grows('failed', now.status, before.status);
  // An indexed Job may be scaled down.
  const isScaled = spec.completionMode === 'Indexed' && spec.completions === spec.parallelism;
  if (!isScaled) yield* grows('succeeded', now.status, before.status);
  const { completionTime } = now.status;
  if (isThere(completionTime) && isThere(before.status.completionTime) && changed('completionTime')) {
    yield invalidPrinted('status.completionTime', goTime(completionTime), 'completionTime cannot be mutated');
  }
  if (isThere(before.status.startTime) && changed('startTime') && spec.suspend !== true) {
    yield required('status.startTime', 'startTime cannot be removed for unsuspended job');
  }
  if (before.met && !now.met) yield contradiction('cannot disable the SuccessCriteriaMet=True condition');
  if (before.complete && !before.met && now.met) {
    yield contradiction('cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions');
  }
}

function* grows(field: string, now: JsonObject, before: JsonObject): Errors {
  if (numberOf(now[field]) < numberOf(before[field])) {
    yield invalid(child('status', field), numberOf(now[field]), `cannot decrease the ${field} counter`);
  }
}
