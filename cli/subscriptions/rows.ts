import { valueAt } from '../../lib/json/index.ts';
import { aligned } from '../aligned.ts';
import type { Authored } from './find-authored.ts';

const HEADERS = [
  'KIND',
  'NAMESPACE',
  'NAME',
  'RESOURCE',
  'AUTHOR',
  'IDENTITY',
  'WRITER',
  'PHASE',
  'AUTHORIZED',
];

/** A table of Subscriptions and Tallies in kubectl's format. `-` stands for an absent value. */
export function tableOf(found: readonly Authored[]): string {
  return aligned([HEADERS, ...found.map(cellsOf)]).join('\n');
}

function cellsOf({ kind, object }: Authored): string[] {
  const at = (path: string) => String(valueAt(object, path) ?? '');
  const resource = [at('spec.resource.resource'), at('spec.resource.group')].filter((part) => part !== '');
  const uid = at('status.author.uid');
  return [
    kind,
    at('metadata.namespace'),
    at('metadata.name'),
    resource.join('.'),
    at('status.author.username'),
    uid === '' ? at('status.author.principal') : `uid ${uid}`,
    at('status.writer.username'),
    at('status.phase'),
    authorizedOf(object),
  ].map((cell) => cell || '-');
}

/** The status of the condition `Authorized`, and its reason unless the status is True. */
function authorizedOf(object: Authored['object']): string {
  const conditions = valueAt(object, 'status.conditions');
  if (!Array.isArray(conditions)) return '';
  const found = conditions.find((one) => valueAt(one, 'type') === 'Authorized');
  if (found === undefined) return '';
  const status = String(valueAt(found, 'status'));
  return status === 'True' ? status : `${status} (${valueAt(found, 'reason')})`;
}
