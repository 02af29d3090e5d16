import { isJsonObject, type JsonObject, objectAt } from '../../../../lib/json/index.ts';
import { type FieldError, formatFieldError } from '../../../../lib/selectors/index.ts';
import { type Recorded, readRecording } from '../../../golden/recording.ts';

/** The recorded answers of a real kube-apiserver that the schema tests use. */
export const RECORDED: readonly Recorded[] = readRecording('kinds').filter(({ n }) => n >= 311 && n <= 482);

/** The causes of a refusal, one text each. They are sorted, because Kubernetes walks maps in random order. */
export function causesOf({ answer }: Recorded): string[] {
  const { causes } = objectAt(objectAt(answer).details);
  return (Array.isArray(causes) ? causes : [])
    .filter(isJsonObject)
    .map(({ reason, field, message }) => `${reason} ${field}: ${message}`)
    .toSorted();
}

/** Winnow's errors in the same form. A cause that Kubernetes reports twice occurs twice. */
export function toldAs(errors: readonly FieldError[]): string[] {
  return errors.map((error) => `FieldValue${error.type} ${formatFieldError(error)}`).toSorted();
}

export function bodyOf({ body }: Recorded): JsonObject {
  return objectAt(body);
}

export function answerOf({ answer }: Recorded): JsonObject {
  return objectAt(answer);
}

/** The object without values that differ in each run: of the metadata, only the name remains. */
export function contentOf(object: JsonObject): JsonObject {
  const { metadata, ...content } = object;
  return { ...content, name: objectAt(metadata).name ?? null };
}
