import type { JsonObject } from '../../lib/json/index.ts';

/** An object of the sample inventory. */
export interface SampleObject {
  /** The path of its collection: `/api/v1/namespaces/shop/pods`. */
  readonly collection: string;
  readonly body: SampleBody;
  /** Its status, which a second request writes. */
  readonly status?: JsonObject;
}

export interface SampleBody extends JsonObject {
  readonly metadata: JsonObject & { readonly name: string };
}

/** The label of the devices and pods that the sample inventory changes. Objects of the user do not have it. */
export const SAMPLE = 'winnow.dev/sample';

export const pathOf = ({ collection, body }: SampleObject) => `${collection}/${body.metadata.name}`;
