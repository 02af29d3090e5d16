import type { JsonObject } from '../../json/index.ts';
import type { ListPlan, PlanStep, ReadPurpose, ValuesRead } from '../../store/index.ts';
import { alignedText, type Column, plainTable } from './aligned-rows.ts';

/** The most characters of a selector in the header. */
const LONGEST_TEXT = 200;

/** The plan in one line: `access=index; drives=app=web; matches=10; candidates=35; rows=47; …`. */
export function explainHeader(plan: ListPlan): string {
  const { access, matches, candidates, total, pages, skips, relabelled, overlay } = plan;
  const drivers = plan.steps.flatMap(({ drives, read }) =>
    drives === true ? String(read?.requirement) : [],
  );
  const facts = {
    access,
    ...(drivers.length > 0 && { drives: shortened(drivers.join(' then ')) }),
    matches,
    candidates,
    rows: total.rows,
    requests: total.requests,
    units: total.units,
    pages,
    skips,
    ...(relabelled !== undefined && { relabelled }),
    overlay: `${overlay.after}..${overlay.upTo}`,
    overlaid: overlay.objects,
  };
  return Object.entries(facts)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ');
}

/** The plan as a meta.k8s.io/v1 Table: a row for each step and one for the total. `metadata` is that of the list. */
export function explainTable(plan: ListPlan, metadata: JsonObject): JsonObject {
  return plainTable(COLUMNS, rowsOf(plan), metadata);
}

/** The plan as text, in the form in which kubectl prints Tables. */
export function explainText(plan: ListPlan): string {
  return alignedText(COLUMNS, rowsOf(plan));
}

const COLUMNS: readonly Column[] = [
  { name: 'Step', type: 'string', description: 'The data that the step read.' },
  {
    name: 'From',
    type: 'string',
    description: 'The index and the requirement that was read from it, or the table.',
  },
  { name: 'Requests', type: 'integer', description: 'Requests to DynamoDB.' },
  { name: 'Rows', type: 'integer', description: 'Rows that DynamoDB returned.' },
  { name: 'Units', type: 'number', description: 'Read capacity units that DynamoDB reported as consumed.' },
  { name: 'Note', type: 'string', description: 'How the list used the rows.' },
];

type Cell = string | number;

function rowsOf(plan: ListPlan): Cell[][] {
  const { matches, candidates, pages, skips, total } = plan;
  const found = plan.access === 'index' ? ` of ${count(candidates, 'candidate')}` : '';
  const summary = [
    `${count(matches, 'match', 'matches')}${found}`,
    count(pages, 'page'),
    ...(skips > 0 ? [count(skips, 'skip')] : []),
  ];
  return [
    ...plan.steps.map((step) => [...source(step), step.requests, step.rows, step.units, note(step, plan)]),
    ['total', accessText(plan), total.requests, total.rows, total.units, summary.join(', ')],
  ];
}

const SOURCES: Readonly<Record<ReadPurpose, readonly [step: string, from: string]>> = {
  head: ['head', 'table'],
  slots: ['label slots', 'table'],
  requirement: ['requirement', ''],
  window: ['relabel window', 'table'],
  rows: ['rows', 'table: the whole collection'],
  objects: ['objects', 'table: by name'],
  journal: ['journal', 'table'],
};

function source({ purpose, read }: PlanStep): readonly [string, string] {
  const [step, from] = SOURCES[purpose];
  return [step, read === undefined ? from : `${read.index}: ${shortened(String(read.requirement))}`];
}

function note(step: PlanStep, plan: ListPlan): string {
  const { purpose } = step;
  switch (purpose) {
    case 'requirement':
      return requirementNote(step);
    case 'window':
      return plan.relabelled === undefined
        ? 'too long to read; all rows were read instead'
        : `${count(plan.relabelled, 'object')} relabelled`;
    case 'journal': {
      const { after, upTo, objects } = plan.overlay;
      return `after ${after} up to ${upTo}, over ${count(objects, 'object')}`;
    }
    case 'head':
    case 'slots':
    case 'rows':
    case 'objects':
      return '';
    default:
      return purpose satisfies never;
  }
}

function requirementNote({ drives, values, requests }: PlanStep): string {
  if (values?.how === 'too-many') return 'too many values and entries: not used';
  if (requests === 0) return 'not needed';
  const use = drives ? 'names taken from here' : 'used to skip names';
  return values === undefined ? use : `${use}, ${VALUES[values.how](values.count)}`;
}

const VALUES: Readonly<Record<Exclude<ValuesRead['how'], 'too-many'>, (count: number) => string>> = {
  values: (values) => `by ${count(values, 'value')}`,
  sorted: (entries) => `${count(entries, 'entry', 'entries')} sorted`,
};

function accessText({ access, steps }: ListPlan): string {
  const index = steps.find(({ drives }) => drives === true)?.read?.index;
  return access === 'index' && index !== undefined ? index : access;
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

function shortened(text: string): string {
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}...` : text;
}
