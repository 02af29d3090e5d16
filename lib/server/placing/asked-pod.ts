import { type JsonObject, metadataOf } from '../../json/index.ts';
import { findResourceType, type ResourceType } from '../../kubernetes/resource-types/index.ts';
import type { Pod } from '../../placement/index.ts';
import type { FieldError } from '../../selectors/index.ts';
import { refuseUnstorable } from '../../store/index.ts';
import { admissionOf } from '../admission/index.ts';
import type { Call } from '../http/index.ts';
import { decodeSent, newObject } from '../objects/index.ts';
import { badRequest, invalid } from '../status/index.ts';
import { podOf, type Question } from './read-question.ts';

export interface AskedPod {
  /** The pod as it would be stored, with its defaults and the effects of classes and LimitRanges. */
  readonly pod: Pod;
  /** Unknown fields of the pod, by their paths in the review. */
  readonly unknown: readonly string[];
}

const UNKNOWN = /^unknown field "(.*)"$/;

/**
 * Returns the pod of the question, as a create would store it.
 *
 * @throws ApiError 400 it cannot be decoded, 403 limits or classes refuse it, 422 it is not valid; each error names
 * the field of the review
 */
export async function askedPod(call: Call, question: Question): Promise<AskedPod> {
  const { clock, random, store } = call.options;
  const { namespace, path } = question;
  const type = podType();
  const { body: sent, faults } = await decodeSent({
    type,
    namespace,
    value: podOf(question),
    isNew: true,
    refusal: (why) =>
      badRequest(`PlacementReview in version "v1" cannot be handled as a PlacementReview: ${path}: ${why}`),
  });
  refuseUnstorable(sent);
  const asked = { type, body: sent, exists: false, subresource: '', namespace };
  const admission = await admissionOf({ ...asked, store, random, dryRun: true, now: clock.now() });
  const pod = await newObject({
    type,
    sent: admission.complete(sent),
    clock,
    random,
    refusal: (errors) =>
      invalid(
        call.route.type,
        '',
        errors.map((one) => within(path, one)),
      ),
  });
  admission.refuse(pod);
  return {
    pod: placeable(pod, question),
    unknown: faults.map((fault) => `${path}.${UNKNOWN.exec(fault)?.[1] ?? fault}`),
  };
}

function within(path: string, error: FieldError): FieldError {
  return { ...error, field: `${path}.${error.field}` };
}

/**
 * Removes the status, because the client may not set it. Equal nodes are ordered by the pod's uid, so the pod has the
 * template's uid. A random uid would change the order with each request.
 */
function placeable({ status: _status, ...pod }: JsonObject, { template }: Question): Pod {
  const { uid = '' } = metadataOf(template);
  return { ...pod, metadata: { ...metadataOf(pod), uid } } as Pod;
}

function podType(): ResourceType {
  const type = findResourceType('', 'v1', 'pods');
  if (type === undefined) throw new Error('the resource type pods is missing');
  return type;
}
