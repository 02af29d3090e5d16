import { type JsonObject, jsonEquals, metadataOf, objectAt } from '../../../json/index.ts';
import { type Selector, SelectorError } from '../../../selectors/index.ts';
import { child, invalid, invalidPrinted, notSupported, required } from '../../field-errors/index.ts';
import { type Errors, nonNegative, oneOf } from '../errors.ts';
import { goLabelSelector, goMap } from '../go-values.ts';
import { labelSelector, readSelector } from '../label-selectors.ts';
import { podTemplate } from '../pods.ts';
import { entriesOf, isThere, numberOf, textOf } from '../reading.ts';
import { managedBy, podFailurePolicy, successPolicy } from './policies.ts';
import { isSchedule, timeZone } from './schedule.ts';

const COUNTS = [
  ...['parallelism', 'completions', 'activeDeadlineSeconds', 'backoffLimit'],
  ...['ttlSecondsAfterFinished', 'backoffLimitPerIndex', 'maxFailedIndexes'],
];
const LONGEST_CRON_NAME = 52;
const IMMUTABLE = [
  'completionMode',
  'podFailurePolicy',
  'backoffLimitPerIndex',
  'managedBy',
  'successPolicy',
];
const MOST_INDEXED = 100_000;
/** The limit of parallel pods, and of failed indexes, for a Job with more completions than MOST_INDEXED. */
const MOST_OF_MANY = 10_000;

export function* newJob(body: JsonObject): Errors {
  yield* generatedSelector(body);
  yield* job(body);
}

export function* job(body: JsonObject): Errors {
  const spec = objectAt(body.spec);
  yield* jobSpec('spec', spec);
  if (isThere(spec.selector)) {
    yield* labelSelector('spec.selector', spec.selector);
  } else {
    yield required('spec.selector');
  }
  const selector = readSelector('spec.selector', spec.selector);
  const { labels } = objectAt(objectAt(spec.template).metadata);
  if (matches(selector, Object.fromEntries(entriesOf(labels)))) return;
  const detail = '`selector` does not match template `labels`';
  yield invalidPrinted('spec.template.metadata.labels', goMap(labels), detail);
}

/** Checks the update of a Job. Its content is checked twice, first with the rules of a new Job. */
export function* jobUpdate(body: JsonObject, old: JsonObject): Errors {
  yield* job(body);
  const [spec, before] = [objectAt(body.spec), objectAt(old.spec)];
  const changed = (field: string) => !jsonEquals(spec[field] ?? null, before[field] ?? null);
  if (changed('completions')) {
    const tandem = 'can only be modified in tandem with spec.parallelism';
    const detail = spec.completionMode === 'Indexed' ? tandem : 'field is immutable';
    const alone = spec.completionMode !== 'Indexed' || spec.completions !== spec.parallelism;
    if (alone) yield invalid('spec.completions', spec.completions ?? null, detail);
  }
  if (changed('selector')) {
    yield invalidPrinted('spec.selector', goLabelSelector(objectAt(spec.selector)), 'field is immutable');
  }
  if (!jsonEquals(fixedTemplate(spec, before), objectAt(before.template))) {
    yield { type: 'Invalid', field: 'spec.template', detail: 'field is immutable' };
  }
  for (const field of IMMUTABLE) {
    if (changed(field)) {
      yield invalidPrinted(child('spec', field), JSON.stringify(spec[field] ?? null), 'field is immutable');
    }
  }
}

/**
 * Returns the new template for the comparison with the old one. For a suspended Job, the metadata and the scheduling
 * fields are taken from the old template, because they may change.
 */
function fixedTemplate(spec: JsonObject, before: JsonObject): JsonObject {
  const [template, old] = [objectAt(spec.template), objectAt(before.template)];
  if (before.suspend !== true) return template;
  const free = ['nodeSelector', 'tolerations', 'affinity', 'schedulingGates'];
  const own = Object.entries(objectAt(template.spec)).filter(([field]) => !free.includes(field));
  const kept = Object.entries(objectAt(old.spec)).filter(([field]) => free.includes(field));
  return { ...template, metadata: old.metadata ?? {}, spec: Object.fromEntries([...own, ...kept]) };
}

export function* cronJob(body: JsonObject, old?: JsonObject): Errors {
  const spec = objectAt(body.spec);
  const before = objectAt(old?.spec);
  const schedule = textOf(spec.schedule);
  if (schedule === '') {
    yield required('spec.schedule');
  } else {
    yield* isSchedule('spec.schedule', { schedule, old: textOf(before.schedule), timeZone: spec.timeZone });
  }
  yield* nonNegative('spec.startingDeadlineSeconds', spec.startingDeadlineSeconds);
  if (isThere(spec.timeZone) && spec.timeZone !== before.timeZone) {
    yield* timeZone('spec.timeZone', textOf(spec.timeZone));
  }
  yield* oneOf('spec.concurrencyPolicy', spec.concurrencyPolicy, ['Allow', 'Forbid', 'Replace']);
  yield* jobTemplate('spec.jobTemplate.spec', objectAt(objectAt(spec.jobTemplate).spec));
  yield* nonNegative('spec.successfulJobsHistoryLimit', spec.successfulJobsHistoryLimit);
  yield* nonNegative('spec.failedJobsHistoryLimit', spec.failedJobsHistoryLimit);
}

/** Checks a new CronJob. Its name has a lower limit, because the names of its Jobs are longer. */
export function* newCronJob(body: JsonObject): Errors {
  yield* cronJob(body);
  const name = textOf(metadataOf(body).name);
  if (name.length > LONGEST_CRON_NAME) {
    yield invalid('metadata.name', name, `must be no more than ${LONGEST_CRON_NAME} characters`);
  }
}

function* jobTemplate(path: string, spec: JsonObject): Errors {
  yield* jobSpec(path, spec);
  if (isThere(spec.selector)) {
    const printed = goLabelSelector(objectAt(spec.selector));
    yield invalidPrinted(child(path, 'selector'), printed, '`selector` will be auto-generated');
  }
  if (spec.manualSelector === true) {
    yield notSupported(child(path, 'manualSelector'), true, ['nil', 'false']);
  }
}

/** Checks the selector of a Job, which selects its uid, unless `manualSelector` is set. */
function* generatedSelector(body: JsonObject): Errors {
  const spec = objectAt(body.spec);
  if (spec.manualSelector === true || !isThere(spec.selector)) return;
  const { uid, name } = metadataOf(body);
  const expected = {
    'controller-uid': textOf(uid),
    'job-name': textOf(name),
    'batch.kubernetes.io/controller-uid': textOf(uid),
    'batch.kubernetes.io/job-name': textOf(name),
  };
  const labels = objectAt(objectAt(objectAt(spec.template).metadata).labels);
  for (const [key, value] of Object.entries(expected)) {
    const field = `spec.template.metadata.labels[${key}]`;
    if (!isThere(labels[key])) {
      yield required(field, `must be '${value}'`);
    } else if (labels[key] !== value) {
      yield invalidPrinted(field, goMap(labels), `must be '${value}'`);
    }
  }
  if (matches(readSelector('spec.selector', spec.selector), expected)) return;
  yield invalidPrinted(
    'spec.selector',
    goLabelSelector(objectAt(spec.selector)),
    '`selector` not auto-generated',
  );
}

function matches(selector: Selector | SelectorError, labels: Record<string, string>): boolean {
  return selector instanceof SelectorError || selector.matches(labels);
}

function* jobSpec(path: string, spec: JsonObject): Errors {
  for (const field of COUNTS) yield* nonNegative(child(path, field), spec[field]);
  if (isThere(spec.maxFailedIndexes) && !isThere(spec.backoffLimitPerIndex)) {
    yield required(child(path, 'backoffLimitPerIndex'), 'when maxFailedIndexes is specified');
  }
  yield* managedBy(child(path, 'managedBy'), spec.managedBy);
  yield* completionMode(path, spec);
  yield* podFailurePolicy(child(path, 'podFailurePolicy'), spec);
  yield* successPolicy(child(path, 'successPolicy'), spec);
  const { podReplacementPolicy: replaced } = spec;
  const replacements = isThere(spec.podFailurePolicy) ? ['Failed'] : ['Failed', 'TerminatingOrFailed'];
  if (isThere(replaced) && !replacements.includes(textOf(replaced))) {
    yield notSupported(child(path, 'podReplacementPolicy'), replaced, replacements);
  }
  yield* podTemplate(child(path, 'template'), spec.template);
  yield* restart(child(path, 'template.spec.restartPolicy'), spec);
}

function* completionMode(path: string, spec: JsonObject): Errors {
  const mode = textOf(spec.completionMode);
  if (mode !== '' && mode !== 'NonIndexed' && mode !== 'Indexed') {
    yield notSupported(child(path, 'completionMode'), mode, ['NonIndexed', 'Indexed']);
  }
  if (mode === 'Indexed') {
    if (!isThere(spec.completions)) {
      yield required(child(path, 'completions'), 'when completion mode is Indexed');
    }
    if (numberOf(spec.parallelism) > MOST_INDEXED) {
      const detail = `must be less than or equal to ${MOST_INDEXED} when completion mode is Indexed`;
      yield invalid(child(path, 'parallelism'), numberOf(spec.parallelism), detail);
    }
    yield* manyIndexes(path, spec);
  } else if (mode === 'NonIndexed' || mode === '') {
    for (const field of ['backoffLimitPerIndex', 'maxFailedIndexes']) {
      const value = spec[field];
      if (isThere(value)) yield invalid(child(path, field), value, 'requires indexed completion mode');
    }
  }
}

/** Checks limits that allow the status to list all completed and failed indexes. */
function* manyIndexes(path: string, spec: JsonObject): Errors {
  const { completions, maxFailedIndexes: most } = spec;
  const own = child(path, 'maxFailedIndexes');
  if (isThere(completions) && isThere(most) && numberOf(most) > numberOf(completions)) {
    yield invalid(own, most, 'must be less than or equal to completions');
  }
  if (numberOf(most) > MOST_INDEXED) {
    yield invalid(own, numberOf(most), `must be less than or equal to ${MOST_INDEXED}`);
  }
  if (numberOf(completions) <= MOST_INDEXED || !isThere(spec.backoffLimitPerIndex)) return;
  if (!isThere(most)) yield required(own, `must be specified when completions is above ${MOST_INDEXED}`);
  const detail = `must be less than or equal to ${MOST_OF_MANY} when completions are above ${MOST_INDEXED} and used with backoff limit per index`;
  for (const field of ['parallelism', 'maxFailedIndexes']) {
    const value = numberOf(spec[field]);
    if (value > MOST_OF_MANY) yield invalid(child(path, field), value, detail);
  }
}

function* restart(path: string, spec: JsonObject): Errors {
  const policy = textOf(objectAt(objectAt(spec.template).spec).restartPolicy);
  if (policy === 'Always' || policy === '') {
    yield required(path, 'valid values: "OnFailure", "Never"');
  } else if (policy !== 'OnFailure' && policy !== 'Never') {
    yield notSupported(path, policy, ['OnFailure', 'Never']);
  } else if (isThere(spec.podFailurePolicy) && policy !== 'Never') {
    yield invalid(path, policy, 'only "Never" is supported when podFailurePolicy is specified');
  }
}
