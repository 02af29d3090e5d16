import type { JsonObject } from '../../json/index.ts';
import type { AdmissionAttributes, MatchedAs } from '../../kubernetes/admission-match/index.ts';
import type { Webhook } from './webhook.ts';

/** Decides which webhooks are asked about a write, and in which version they see its objects. */
export interface Matcher<Asked extends Webhook = Webhook> {
  /**
   * The version in which a webhook is asked; undefined if its rules, selectors or conditions leave the write out.
   *
   * @throws ApiError 403 a condition cannot be evaluated; 500 its namespace cannot be read
   */
  match(webhook: Asked, attributes: AdmissionAttributes): Promise<MatchedAs | undefined>;
  /** The same write with its objects in another version. */
  shown(attributes: AdmissionAttributes, seen: MatchedAs): Promise<AdmissionAttributes>;
  /** An object that a webhook changed, in the version of the request. */
  back(object: JsonObject, attributes: AdmissionAttributes): Promise<JsonObject>;
}
