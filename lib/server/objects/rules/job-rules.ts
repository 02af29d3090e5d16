import { isJsonObject, type JsonObject, jsonEquals, metadataOf, objectAt } from '../../../json/index.ts';
import type { TypeRules } from './rules.ts';

const CONTROLLER = 'batch.kubernetes.io/controller-uid';
const NAME = 'batch.kubernetes.io/job-name';

/** The rules of Jobs. A Job selects its pods by its uid, unless `manualSelector` is set. */
export const jobRules: Pick<Required<TypeRules>, 'prepare'> = {
  prepare: (body, old) => {
    const { spec } = body;
    return old === undefined && isJsonObject(spec) && spec.manualSelector !== true
      ? withSelector(body, spec)
      : body;
  },
};

function withSelector(body: JsonObject, spec: JsonObject): JsonObject {
  const metadata = metadataOf(body);
  const { uid = '', name = '' } = metadata;
  const template = objectAt(spec.template ?? {});
  const before = objectAt(metadataOf(template).labels ?? {});
  const labels = { [CONTROLLER]: uid, [NAME]: name, 'controller-uid': uid, 'job-name': name, ...before };
  // If the Job's labels equal the template's, the Job also gets the labels that are added to the template here.
  const shared = jsonEquals(objectAt(metadata.labels ?? {}), before);
  const selector = objectAt(spec.selector ?? {});
  const matchLabels = { ...objectAt(selector.matchLabels ?? {}), [CONTROLLER]: uid };
  return {
    ...body,
    metadata: shared ? { ...metadata, labels } : metadata,
    spec: {
      ...spec,
      selector: { ...selector, matchLabels },
      template: { ...template, metadata: { ...metadataOf(template), labels } },
    },
  };
}
