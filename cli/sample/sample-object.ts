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

export const pathOf = ({ collection, body }: SampleObject) => `${collection}/${body.metadata.name}`;
