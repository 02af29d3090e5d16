import { writeYaml } from '../../kubernetes/encodings/index.ts';
import { tooLarge } from '../status/index.ts';
import { prefersYaml } from './accept.ts';
import type { ApiRequest, ApiResponse } from './request.ts';

/** Characters of JSON. A list in YAML takes some hundred times as long to write as one in JSON. */
const LONGEST = 2 * 1024 * 1024;

/**
 * A response as YAML, where its client wants that before JSON; what flows, and what is no JSON, as it is.
 *
 * @throws ApiError 413 for what would take too long to write
 */
export async function inYaml(request: ApiRequest, response: ApiResponse): Promise<ApiResponse> {
  const { headers, body } = response;
  const isJson = headers['content-type'] === 'application/json' && typeof body === 'string';
  if (!isJson || !prefersYaml(request.headers.accept)) return response;
  if (body.length > LONGEST) {
    throw tooLarge(
      `the response is larger than ${LONGEST} bytes, which is the limit for YAML; request JSON, or list in pages with limit and continue`,
    );
  }
  const text = await writeYaml(JSON.parse(body));
  return { ...response, headers: { ...headers, 'content-type': 'application/yaml' }, body: text };
}
