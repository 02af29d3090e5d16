import { writeYaml } from '../../kubernetes/encodings/index.ts';
import { tooLarge } from '../status/index.ts';
import { prefersYaml } from './accept.ts';
import type { ApiRequest, ApiResponse } from './request.ts';

/**
 * The most characters of JSON that are converted. Writing a list as YAML takes about a hundred times as long as JSON.
 */
const LONGEST = 2 * 1024 * 1024;

/**
 * Converts a response to YAML if the client prefers it to JSON. Streams and other content types are left as they are.
 *
 * @throws ApiError 413 the response would take too long to convert
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
