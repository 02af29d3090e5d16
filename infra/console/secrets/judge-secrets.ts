import type { IncomingMessage } from 'node:http';
import { parseFieldSelector } from '../../../lib/selectors/index.ts';
import { type Refusal, refusalOf } from '../../loopback-guard/index.ts';
import type { Target } from '../read-target.ts';

const HOW = 'run "winnow console --secrets" to see and change everything';
const MERGE_PATCH = 'application/merge-patch+json';

/**
 * Whether an answer may contain Secrets, so that only their metadata may pass. `…/selected` lists whatever a
 * Subscription, a Tally or an object of a custom kind selects.
 */
export function mayContainSecrets(target: Target): boolean {
  return (isSecrets(target) && target.subresource !== 'selectedby') || target.subresource === 'selected';
}

/**
 * Refuses requests that would show or change the data of Secrets. The data reaches an answer in these ways:
 *
 * - a GET, LIST or WATCH of Secrets, also on the deprecated path, and members of a carrier (`…/selected`):
 *   {@link mayContainSecrets}, so the answer is reduced to metadata, or a Table of it;
 * - a Table with `includeObject=Object`: refused;
 * - history, of one Secret or as `histories`: refused;
 * - the answer to a write, a dry run or a deletion: refused, except a merge patch of labels, whose answer is reduced;
 * - a JSON patch that copies data into a label, and an apply or a patch whose conflict or error quotes data: refused;
 * - the annotation of `kubectl apply`, which repeats the whole object: removed from each answer.
 */
export function judgeSecrets(
  { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  target: Target,
): Refusal | undefined {
  if (target.group === 'winnow.dev' && target.resource === 'histories') return judgeHistories(target);
  if (!mayContainSecrets(target)) return undefined;
  if (target.query.getAll('includeObject').some((value) => !['', 'None', 'Metadata'].includes(value))) {
    return refusalOf(403, `the console shows only the metadata of Secrets and of members: ${HOW}`);
  }
  if (!isSecrets(target)) return undefined;
  if (target.subresource === 'history') {
    return refusalOf(403, `the console does not show the history of Secrets: ${HOW}`);
  }
  if (method === 'GET' || isLabelPatch(target, method, headers['content-type'])) return undefined;
  return refusalOf(403, `the console changes only labels of Secrets, by a merge patch: ${HOW}`);
}

function isSecrets({ group, resource }: Target): boolean {
  return group === '' && resource === 'secrets';
}

/** Refuses the history of Secrets. The field selector is read as Winnow reads it. */
function judgeHistories({ query }: Target): Refusal | undefined {
  const selectors = query.getAll('fieldSelector');
  if (selectors.length > 1) {
    return refusalOf(400, 'the request has several parameters fieldSelector: use one');
  }
  return resourcesIn(selectors[0] ?? '').some(isOfSecrets)
    ? refusalOf(403, `the console does not show the history of Secrets: ${HOW}`)
    : undefined;
}

function resourcesIn(selector: string): readonly string[] {
  try {
    const { requirements } = parseFieldSelector(selector);
    return requirements.filter(({ field }) => field === 'resource').map(({ value }) => value);
  } catch {
    // Winnow has the same parser, and refuses the selector.
    return [];
  }
}

function isOfSecrets(resource: string): boolean {
  const [name, ...group] = resource.split('.');
  return name === 'secrets' && group.join('.') === '';
}

function isLabelPatch(
  { name, subresource, isWatch }: Target,
  method: string | undefined,
  type = '',
): boolean {
  const mediaType = type.split(';')[0]?.trim().toLowerCase();
  return method === 'PATCH' && name !== '' && subresource === '' && !isWatch && mediaType === MERGE_PATCH;
}
